//! Forged saves: documents of the right shape with wrong numbers and lists.
//!
//! [`each_number_changed`] is exhaustive for small documents, [`damage`] is random for large ones.

use serde_json::Value;

/// Returns the JSON pointers of all numbers in a document, in order.
pub fn numbers(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    walk(document, "", &mut |path, value| {
        if value.is_number() {
            found.push(path.to_owned());
        }
    });
    found
}

/// Returns the JSON pointers of all lists in a document that have an entry, in order.
pub fn lists(document: &Value) -> Vec<String> {
    let mut found = Vec::new();
    walk(document, "", &mut |path, value| {
        if value.as_array().is_some_and(|list| !list.is_empty()) {
            found.push(path.to_owned());
        }
    });
    found
}

fn walk(value: &Value, path: &str, visit: &mut impl FnMut(&str, &Value)) {
    visit(path, value);
    match value {
        Value::Array(list) => {
            for (k, entry) in list.iter().enumerate() {
                walk(entry, &format!("{path}/{k}"), visit);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                walk(field, &format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")), visit);
            }
        }
        _ => {}
    }
}

/// Returns the numbers that a forger puts in place of `old`: the ends of what a number can be, its neighbors, and the number
/// that follows it in the document.
fn replacements(old: u64, next: u64) -> Vec<u64> {
    let signed = i64::MAX.cast_unsigned();
    let mut all =
        vec![0, 1, old.wrapping_sub(1), old.wrapping_add(1), next, u64::from(u32::MAX), signed, u64::MAX];
    all.sort_unstable();
    all.dedup();
    all.retain(|&number| number != old);
    all
}

/// Calls `judge` with every document in which one number differs, and with what was changed.
pub fn each_number_changed(document: &Value, mut judge: impl FnMut(&str, &Value)) {
    let places = numbers(document);
    let number = |path: &String| document.pointer(path).and_then(Value::as_u64).unwrap_or_default();
    let mut forged = document.clone();
    for (k, path) in places.iter().enumerate() {
        let (old, next) = (number(path), number(&places[(k + 1) % places.len()]));
        for new in replacements(old, next) {
            set(&mut forged, path, new.into());
            judge(&format!("{path} = {new} instead of {old}"), &forged);
        }
        set(&mut forged, path, document.pointer(path).cloned().unwrap_or_default());
    }
}

fn set(document: &mut Value, path: &str, value: Value) {
    *document.pointer_mut(path).expect("a pointer of this document") = value;
}

/// Damages a document in one place: a number is replaced, or a list is cut, emptied, or has an entry removed, doubled or
/// exchanged. `below(n)` draws a number below `n`.
pub fn damage(document: &mut Value, below: &mut impl FnMut(usize) -> usize) {
    // Lists are rare compared with numbers, but much depends on their lengths.
    let wants_list = below(4) == 0;
    let places = if wants_list { lists(document) } else { numbers(document) };
    if places.is_empty() {
        return;
    }
    let path = &places[below(places.len())];
    if let (true, Some(Value::Array(list))) = (wants_list, document.pointer_mut(path)) {
        let (a, b) = (below(list.len()), below(list.len()));
        match below(5) {
            0 => list.truncate(a),
            1 => drop(list.remove(a)),
            2 => list.insert(b, list[a].clone()),
            3 => list.swap(a, b),
            _ => list.clear(),
        }
        return;
    }
    let number = |path: &String| document.pointer(path).and_then(Value::as_u64).unwrap_or_default();
    let (old, other) = (number(path), number(&places[below(places.len())]));
    let choices = replacements(old, other);
    let new = choices[below(choices.len())];
    set(document, path, new.into());
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_number_is_changed_and_put_back() {
        let document = json!({ "a": [1, 2, { "b/c": 7 }], "d": "text", "e": null });
        assert_eq!(numbers(&document), ["/a/0", "/a/1", "/a/2/b~1c"]);
        assert_eq!(lists(&document), ["/a"]);
        let mut seen = Vec::new();
        each_number_changed(&document, |what, forged| {
            let differing =
                numbers(&document).iter().filter(|at| document.pointer(at) != forged.pointer(at)).count();
            assert_eq!(differing, 1, "{what}");
            seen.push(what.to_owned());
        });
        assert!(seen.contains(&format!("/a/2/b~1c = {} instead of 7", u64::MAX)));
    }

    #[test]
    fn damage_changes_a_list_or_a_number() {
        let document = json!({ "a": [1, 2, 3, 4, 5, 6, 7, 8, 9] });
        let mut state = 1_usize;
        let mut below = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % n
        };
        let changed = (0..200).filter(|_| {
            let mut forged = document.clone();
            damage(&mut forged, &mut below);
            forged != document
        });
        assert!(changed.count() > 150);
    }
}
