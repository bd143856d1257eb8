// The stage: everything that determines a session, and its form in addresses.

class Stage {
  constructor() {
    this.planners = ['tba', 'auto'];
    this.budget = 10;
    this.prices = 'all';
    this.radius = null;
    this.weighs = false;
    this.swing = 0;
    this.changes = [];
    this.seed = 1;
  }

  /** Takes a map with its problem. */
  take(name, ground) {
    const { width, height, start, goal, doors } = JSON.parse(ground.about());
    Object.assign(this, { name, width, height, start, goal, doors, letters: ground.letters(), changes: [] });
    ground.free();
  }

  /** Makes an empty map. */
  blank(width, height) {
    const middle = height >> 1;
    Object.assign(this, { name: 'drawn', width, height, start: [3, middle], goal: [width - 4, middle], doors: [], changes: [] });
    this.letters = new Uint8Array(width * height).fill('.'.charCodeAt(0));
  }

  get setup() {
    const { name, start, goal, planners, budget, prices, radius, weighs, doors, swing, changes } = this;
    return JSON.stringify({ name, start, goal, planners, budget, prices, radius, weighs, doors, swing, changes });
  }

  letter(x, y) {
    return String.fromCharCode(this.letters[y * this.width + x]);
  }

  isFree(x, y) {
    return '.GS'.includes(this.letter(x, y));
  }

  /** Draws on the map before the first tick. The map loses its name. */
  draw(x, y, letter) {
    this.letters[y * this.width + x] = letter.charCodeAt(0);
    if (this.name.startsWith('builtin:')) this.name = `${this.name.slice(8)}, redrawn`;
  }

  /** Encodes the stage for an address, with the fleet if there is one. */
  async pack(fleet) {
    const { width, height, letters, seed } = this, own = JSON.parse(this.setup);
    // A built-in map is identified by its name.
    if (!this.name.startsWith('builtin:')) Object.assign(own, { width, height, letters: new TextDecoder().decode(letters) });
    const bytes = new TextEncoder().encode(JSON.stringify({ ...own, seed, fleet }));
    const packed = await streamed(bytes, new CompressionStream('deflate-raw'));
    let binary = '';
    for (const byte of packed) binary += String.fromCharCode(byte);
    return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  }

  /** Decodes the stage of an address. */
  static async unpack(text) {
    const damaged = () => new Error('the address holds no stage that can be read; copy the whole address again');
    let own;
    try {
      const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
      const packed = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
      own = JSON.parse(new TextDecoder().decode(await streamed(packed, new DecompressionStream('deflate-raw'))));
    } catch {
      throw damaged();
    }
    const stage = new Stage(), { letters, toll, ...rest } = own;
    // Older addresses have different names for orders, prices, and the price list of all work.
    if (own.fleet?.deeds) own.fleet.orders ??= own.fleet.deeds;
    if (toll !== undefined) rest.prices ??= toll === 'honest' ? 'all' : toll;
    if (typeof own.name !== 'string' || !Array.isArray(own.planners) || !isFleet(own.fleet)) throw damaged();
    if (own.name.startsWith('builtin:')) stage.take(own.name, wasm.Ground.builtin(own.name.slice(8), own.seed >>> 0));
    else if (typeof letters === 'string') stage.letters = new TextEncoder().encode(letters);
    else throw damaged();
    return Object.assign(stage, rest);
  }
}

/** Returns `true` if this is a valid shared fleet, or undefined. */
function isFleet(fleet) {
  if (fleet === undefined) return true;
  const isNumber = (n) => Number.isFinite(n) && n >= 0, isList = (list) => Array.isArray(list) && list.every(isNumber);
  const shapes = { roam: ([seed]) => isNumber(seed), edit: (given) => isList(given) && given.length === 3,
    order: ([units, ...cell]) => (units === null || isList(units)) && isList(cell) && cell.length === 2 };
  const isOrder = (/** @type {any} */ [tick, what, ...given]) => isNumber(tick) && Object.hasOwn(shapes, what) && shapes[what](given);
  return [fleet?.units, fleet?.seed, fleet?.budget, fleet?.rate].every(isNumber) && Array.isArray(fleet.orders) && fleet.orders.every((order) => Array.isArray(order) && isOrder(order));
}

async function streamed(bytes, through) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through)).arrayBuffer());
}
