// The planners' rows in the settings: which planner, and a labeled field for each of its parameters, from the registry.

/** Splits a spec into its key and the values that it sets. */
function splitSpec(spec) {
  const [, key = '', params = ''] = /^([^(]*)(?:\((.*)\))?$/.exec(spec) ?? [], values = {};
  let depth = 0, from = 0;
  const take = (to) => {
    const [, name, value] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/.exec(params.slice(from, to)) ?? [];
    if (name) values[name] = value;
    from = to + 1;
  };
  for (let k = 0; k <= params.length; k++) {
    if (params[k] === '(') depth++;
    else if (params[k] === ')') depth--;
    else if (k === params.length || (params[k] === ',' && depth === 0)) take(k);
  }
  return { key, values };
}

/** Returns the spec of a key and of values that differ from the defaults. */
function joinSpec(key, values, info) {
  const isSet = (name) => values[name] !== undefined && values[name] !== '' && values[name] !== info?.params.find((param) => param.name === name)?.default;
  const given = Object.keys(values).filter(isSet).map((name) => `${name}=${values[name]}`);
  return given.length ? `${key}(${given.join(',')})` : key;
}

/** Returns the fields of a planner. The first planner cannot be removed. */
function plannerRow(play, planners, k) {
  const { stage } = play, select = element('select', { 'aria-label': `Planner ${k + 1}` });
  if (k > 0) select.append(new Option('none', ''));
  for (const { key, name, summary } of planners) select.append(Object.assign(new Option(name, key), { title: summary }));
  const fields = element('div', { class: 'fields' }), summary = element('summary', {}, 'parameters'), more = element('details', { class: 'params' }, summary, fields);
  const apply = (spec) => play.restart(() => {
    const list = stage.planners.slice();
    if (spec) list.splice(Math.min(k, list.length), 1, spec);
    else list.splice(k, 1);
    stage.planners = list;
  }, { keep: true });
  select.addEventListener('change', () => apply(select.value));
  const field = (param, value, info, values) => {
    const name = `Parameter ${param.name} of planner ${k + 1}`;
    const input = param.words.length
      ? element('select', { 'aria-label': name, title: param.about }, ...param.words.map((word) => new Option(word, word)))
      : element('input', { 'aria-label': name, title: param.about, autocomplete: 'off', spellcheck: 'false', placeholder: param.default });
    input.value = value ?? (param.words.length ? param.default : '');
    input.dataset.param = param.name;
    input.addEventListener('change', () => apply(joinSpec(info.key, { ...values, [param.name]: input.value.trim() }, info)));
    return element('label', { class: 'field', title: param.about }, element('span', {}, param.name), input);
  };
  let shown;
  return {
    box: element('div', { class: 'planner' }, agentNumber(k), select, more),
    show(spec) {
      const { key, values } = splitSpec(spec), info = planners.find((planner) => planner.key === key);
      select.value = key;
      select.title = info?.summary ?? '';
      more.hidden = !info?.params.length;
      // Unchanged fields stay, so that the focus does.
      if (shown === spec) return;
      const isOpen = more.open && splitSpec(shown ?? '').key === key;
      shown = spec;
      const set = Object.keys(values).length;
      summary.textContent = set ? `parameters: ${Object.entries(values).map(([name, value]) => `${name} = ${value}`).join(', ')}` : 'parameters';
      fields.replaceChildren(...(info?.params ?? []).map((param) => field(param, values[param.name], info, values)));
      more.open = isOpen;
    },
    /** Resets the fields to the current values after a refused change. */
    reset() {
      shown = undefined;
    },
  };
}
