//! Tests `fleetfoot playground`.

use super::Folder;

/// Checks that a program without the page says how to get it, and that one with the page writes all of it.
#[test]
fn the_page_is_written_or_the_remedy_named() {
    let folder = Folder::new();
    let done = folder.run(&["playground", "-o", "page/here"]);
    if done.code == Some(2) {
        assert!(done.err.contains("built without the playground; run `bash crates/fleetfoot-web/build.sh`"));
        assert!(folder.names().is_empty());
        return;
    }
    assert_eq!(done.code, Some(0), "{}", done.err);
    for name in ["index.html", "playground.js", "playground.wasm", "playground.wasm.js"] {
        assert!(folder.path("page/here").join(name).is_file(), "{name}");
    }
    let page = folder.read("page/here/index.html");
    assert!(page.contains("playground.js") && !page.contains("{{"));
    folder.file("taken", "");
    let refused = folder.run(&["playground", "-o", "taken"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("taken: "), "{}", refused.err);
}
