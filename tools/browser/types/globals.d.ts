// What the scripts of the pages find around them.

/** What wasm-bindgen makes of the library; its calls are tested in the browser. */
declare const fleetfootWasm: any;

interface Window {
  fleetfoot: any;
  playground: any;
  fleet: any;
  playgroundWasm: any;
  playgroundWasmSize: any;
  wasmMemory: any;
}

/** Events of these pages come from elements. */
interface EventTarget {
  closest(selector: string): any;
  matches(selector: string): boolean;
}
