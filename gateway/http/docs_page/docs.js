// Draws /openapi.json. What comes from the document or an answer enters the page as text, never as markup, so the page
// holds under `script-src 'self'; style-src 'self'`. The API key lives in the variable `key` and nowhere else.

const WORDS = { // English, Chinese; $ is what the caller fills in
  skip: ['Skip to content', '跳到正文'], menu: ['Menu', '目录'], filter: ['Filter  ( / )', '筛选（按 / ）'], ops: ['Operations', '操作'],
  other: ['Other', '其他'], found: ['$ found', '找到 $ 个'], failed: ['Could not read /openapi.json', '读不到 /openapi.json'],
  missing: ['No such operation', '没有这个操作'], request: ['Request', '请求'], response: ['Response', '响应'], errors: ['Errors', '错误'],
  field: ['Field', '字段'], type: ['Type', '类型'], need: ['Required', '必填'], limits: ['Limits', '限制'], about: ['Description', '说明'],
  yes: ['required', '必填'], no: ['optional', '可选'], chars: ['chars', '字符'], items: ['items', '项'], each: ['each', '每项'],
  oneOf: ['one of', '取值'], preset: ['default', '默认'], old: ['deprecated', '已弃用'], scope: ['Scope', '权限'], cli: ['Command line', '命令行'],
  auth: ['Bearer key', '需 Bearer 密钥'], open: ['No key needed', '无需密钥'], example: ['Example', '示例'], copy: ['Copy', '复制'],
  copied: ['Copied', '已复制'], selected: ['Selected', '已选中'], trial: ['Try it', '试一试'], key: ['API key', 'API 密钥'],
  keyHint: ['Kept in the memory of this page only; a reload forgets it.', '只留在本页内存里，刷新即消失。'],
  body: ['Request body (JSON)', '请求体（JSON）'], some: ['Required fields', '必填字段'], all: ['All fields', '全部字段'],
  send: ['Send', '发送'], cancel: ['Cancel', '取消'], real: ['Really runs, on $', '会真正执行，于 $'],
  badJson: ['Not JSON: $', '不是合法的 JSON：$'], lost: ['No answer: $', '没有收到响应：$'], later: ['retry after $ s', '$ 秒后重试'],
  fold: ['Fields of $', '$ 的字段'], lang: ['中文', 'English'],
};
const SHOWN_CHARS_MAX = 200_000;
const TINTED_CHARS_MAX = 40_000; // a span per token: beyond this a browser stutters
const ROWS_OPEN_MAX = 24; // a longer table starts with its nested fields folded

const $ = id => document.getElementById(id);
const own = (object, name) => (object && Object.hasOwn(object, name) ? object[name] : undefined);
const pretty = value => JSON.stringify(value, null, 2);
const t = (word, fill) => WORDS[word][lang].replace('$', () => fill);

let lang = /^zh/i.test(navigator.language) ? 1 : 0;
let spec;
let operations = [];
let key = '';
const drafts = new Map(); // what was typed and answered, by operation, so that moving about loses nothing

/** An element. `on…` attributes are listeners; children that are not nodes become text, empty ones nothing. */
function el(tag, attrs, ...kids) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs ?? {})) {
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (value != null && value !== false) node.setAttribute(name, value);
  }
  node.append(...kids.flat(Infinity).filter(Boolean));
  return node;
}

// ---- Text

/** `code` and **bold** of a description. */
const inline = text => String(text ?? '').split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, i) => {
  if (i % 2 === 0) return part;
  return part[0] === '`' ? el('code', {}, part.slice(1, -1)) : el('strong', {}, part.slice(2, -2));
});

/** Paragraphs and dashed lists: as much of Markdown as docstrings use. */
const prose = text => String(text ?? '').trim().split(/\n\s*\n/).map(block => {
  const [lead, ...points] = block.split(/(?:^|\n)\s*[-*] /);
  return [lead && el('p', {}, inline(lead)), points.length && el('ul', {}, points.map(point => el('li', {}, inline(point))))];
});

/** JSON, with a span per token. */
function tinted(text) {
  if (text.length > TINTED_CHARS_MAX) return text;
  return text.split(/("(?:\\.|[^"\\])*"(?:\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*)/).map((part, i) => {
    if (i % 2 === 0) return part;
    return el('span', { class: part.endsWith(':') ? 'k' : part[0] === '"' ? 's' : 'n' }, part);
  });
}

function codeBlock(name, text) {
  const code = el('code', {}, text);
  const button = el('button', { type: 'button', class: 'quiet', 'aria-label': `${t('copy')} ${name}`, onclick: copy }, t('copy'));
  async function copy() {
    let done = 'copied';
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch { // over plain http from another host there is no clipboard
      getSelection().selectAllChildren(code);
      done = 'selected';
    }
    button.textContent = t(done);
    setTimeout(() => { button.textContent = t('copy'); }, 1500);
  }
  return el('figure', {}, el('figcaption', {}, name, button), el('pre', { tabindex: 0, 'aria-label': name }, code));
}

// ---- Schemas

/** A schema with its refs followed and its null split off: it has `properties`, `items`, `variants` or a plain type. */
function view(schema) {
  let seen = schema ?? {};
  for (let hop = 0; hop < 16; hop++) {
    const { $ref, allOf, anyOf, oneOf, ...rest } = seen;
    const choices = (anyOf ?? oneOf)?.filter(choice => choice.type !== 'null');
    if ($ref) seen = { ...$ref.slice(2).split('/').reduce(own, spec), ...rest, ref: $ref.split('/').pop() };
    else if (allOf) seen = Object.assign({}, ...allOf.map(view), rest);
    else if (!choices) break;
    else {
      const nullable = choices.length < (anyOf ?? oneOf).length;
      if (choices.length !== 1) return { ...rest, nullable, variants: choices.map(view) };
      seen = { ...choices[0], ...rest, nullable };
    }
  }
  return seen;
}

/** What a list or a map holds. */
const held = v => v.items ?? (typeof v.additionalProperties === 'object' && !v.properties ? v.additionalProperties : undefined);

function typeName(v) {
  const inner = held(v) && typeName(view(held(v)));
  if (v.nullable) return `${typeName({ ...v, nullable: false })} | null`;
  if (v.variants) return v.variants.map(typeName).join(' | ');
  if (inner) return !v.items ? `{string: ${inner}}` : inner.includes('|') ? `(${inner})[]` : `${inner}[]`;
  return (v.properties && v.ref) || String(v.type ?? ('const' in v ? typeof v.const : 'any'));
}

function range(low, high, unit) {
  const [a, b] = [low, high].map(n => n?.toLocaleString('en'));
  const span = a === b ? a : !b ? `≥ ${a}` : !a ? `≤ ${b}` : `${a} – ${b}`;
  return span && (unit ? `${span} ${t(unit)}` : span);
}

/** What bounds a value: a list of short pieces. */
function limits(v) {
  const values = v.enum ?? ('const' in v ? [v.const] : undefined);
  return [
    v.format, range(v.minLength, v.maxLength, 'chars'), range(v.minItems, v.maxItems, 'items'),
    range(v.minProperties, v.maxProperties, 'items'), range(v.minimum, v.maximum),
    v.exclusiveMinimum != null && `> ${v.exclusiveMinimum}`, v.exclusiveMaximum != null && `< ${v.exclusiveMaximum}`,
    v.pattern && el('code', {}, v.pattern),
    values && el('span', {}, `${t('oneOf')} `, values.map((value, i) => [i ? ' · ' : '', el('code', {}, `${value}`)])),
    v.default != null && el('span', {}, `${t('preset')} `, el('code', {}, JSON.stringify(v.default))),
    ...(v.variants ?? []).flatMap(limits),
    ...(held(v) ? limits(view(held(v))).map(piece => el('span', {}, `${t('each')} `, piece)) : []),
  ].filter(Boolean);
}

/** The rows below a value: its fields, or those of what it holds. `trail` stops a schema that contains itself. */
function fields(v, trail = []) {
  if (trail.includes(v.ref)) return [];
  const inside = v.ref ? [...trail, v.ref] : trail;
  if (held(v)) return fields(view(held(v)), inside);
  const variants = (v.variants ?? []).map(variant => ({ name: typeName(variant), v: variant, kids: fields(variant, inside) }));
  return variants.filter(row => row.kids.length).concat(Object.entries(v.properties ?? {}).map(([name, schema]) => {
    const child = view(schema);
    return { name, v: child, need: v.required?.includes(name) ? 'yes' : 'no', kids: fields(child, inside) };
  }));
}

const count = rows => rows.reduce((sum, row) => sum + 1 + count(row.kids), 0);

function fieldTable(name, rows) {
  if (!rows.length) return el('p', { class: 'dim' }, '—');
  const open = count(rows) <= ROWS_OPEN_MAX;
  const body = el('tbody', { role: 'rowgroup' });
  const paint = (list, shown) => list.forEach(row => { row.tr.hidden = !shown; paint(row.kids, shown && row.open); });
  const add = (list, depth) => list.forEach(row => {
    row.open = open;
    row.tr = fieldRow(row, depth, () => paint(rows, true));
    body.append(row.tr);
    add(row.kids, depth + 1);
  });
  add(rows, 0);
  paint(rows, true);
  const head = ['field', 'type', 'need', 'limits', 'about'].map(word => el('th', { role: 'columnheader' }, t(word)));
  // Roles by hand: on a phone the rows become blocks, and a browser then forgets that this is a table.
  return el('table', { role: 'table', 'aria-label': name }, el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, head)), body);
}

function fieldRow(row, depth, repaint) {
  const toggle = row.kids.length > 0 && el('button', {
    type: 'button', class: 'fold', 'aria-expanded': `${row.open}`, 'aria-label': t('fold', row.name),
    onclick: () => { row.open = !row.open; toggle.setAttribute('aria-expanded', row.open); repaint(); },
  });
  const cell = (kind, ...kids) => el('td', { role: 'cell', class: kind }, ...kids);
  return el('tr', { role: 'row', class: `d${Math.min(depth, 4)}` },
    el('th', { role: 'rowheader' }, row.name, toggle, row.v.deprecated && el('em', {}, t('old'))),
    cell('type', typeName(row.v)), cell(`need ${row.need}`, row.need && t(row.need)),
    cell('limits', limits(row.v).map(piece => el('div', {}, piece))), cell('about', inline(row.v.description)));
}

// ---- Examples

/** The example that a schema or a media type gives, in a list of one. */
function given(v) {
  if ('example' in v) return [v.example];
  if (Array.isArray(v.examples)) return v.examples.slice(0, 1);
  return Object.values(v.examples ?? {}).slice(0, 1).map(example => example.value);
}

/** A value for a schema: its own example where it has one, else the required fields (or all) with something plausible. */
function sample(schema, all, name = '', trail = []) {
  const v = view(schema);
  const [told] = given(v);
  if (told !== undefined && !(all && v.properties)) return told;
  if (v.default != null) return v.default;
  if (v.enum || 'const' in v) return v.enum ? v.enum[0] : v.const;
  if (trail.includes(v.ref)) return null;
  const inside = v.ref ? [...trail, v.ref] : trail;
  if (v.variants) return sample(v.variants[0], all, name, inside);
  if (v.properties) {
    const kept = Object.entries(v.properties).filter(([field, child]) => all || v.required?.includes(field) || given(view(child)).length);
    return { ...Object.fromEntries(kept.map(([field, child]) => [field, sample(child, all, field, inside)])), ...told };
  }
  if (v.type === 'array') return v.items && (all || v.minItems) ? [sample(v.items, all, name, inside)] : [];
  if (v.type === 'string') return sampleText(v, name);
  return { integer: v.minimum ?? 1, number: v.minimum ?? 0.5, boolean: false }[v.type] ?? {};
}

function sampleText(v, name) {
  if (/^date/.test(v.format)) return v.format === 'date' ? '2026-01-31' : '2026-01-31T08:00:00Z';
  return (/_id$/.test(name) ? name.replace('_id', '-1') : name || 'text').padEnd(v.minLength ?? 0, '.').slice(0, v.maxLength);
}

function sampleBody({ body }, all) {
  if (!body) return '';
  const [told] = all ? [] : given(body);
  return pretty(told ?? sample(body.schema, all));
}

// ---- Operations

const content = holder => Object.entries(holder?.content ?? {}).map(([type, media]) => ({ type, ...media }))[0];

const METHODS = ['get', 'post', 'put', 'delete'];

const readOperations = () => Object.entries(spec.paths).flatMap(([path, item]) => METHODS.filter(method => item[method]).map(method => {
  const raw = item[method];
  const short = method === 'post' && path.match(/^\/v1\/(\w+)$/)?.[1];
  return {
    ...raw, path, method: method.toUpperCase(), name: short || path, id: short || method + path, tag: raw.tags?.[0] ?? '',
    keyed: (raw.security ?? spec.security ?? []).some(choice => Object.keys(choice).length), body: content(raw.requestBody),
  };
}));

function groups(list) {
  const tags = new Map((spec.tags ?? []).map(tag => [tag.name, []]));
  for (const op of list) tags.set(op.tag, [...(tags.get(op.tag) ?? []), op]);
  return [...tags].filter(([, ops]) => ops.length);
}

const link = (op, attrs, ...more) => el('a', { href: `#/${encodeURIComponent(op.id)}`, ...attrs }, op.name, ...more);

function current() {
  try { return decodeURIComponent(location.hash.slice(2)); } catch { return '?'; }
}

function drawNav() {
  const words = $('filter').value.toLowerCase().split(/\s+/);
  const text = op => [op.name, op.path, op.summary, op.tag, op['x-cli'], op['x-scope']].join(' ').toLowerCase();
  const hits = operations.filter(op => words.every(word => text(op).includes(word)));
  const entry = op => el('li', {}, link(op, { 'aria-current': op.id === current() && 'page' }, op.method !== 'POST' && el('small', {}, op.method)));
  $('nav').replaceChildren(...groups(hits).map(([tag, ops]) => el('section', {}, el('h2', {}, tag || t('other')), el('ul', {}, ops.map(entry)))));
  $('said').textContent = words[0] && t('found', hits.length);
}

function drawHome() {
  const about = name => spec.tags?.find(tag => tag.name === name)?.description;
  const entry = op => el('div', {}, el('dt', {}, link(op)), el('dd', {}, inline(op.summary)));
  $('main').replaceChildren(el('h1', { tabindex: -1 }, spec.info.title, ' ', el('small', {}, spec.info.version)),
    el('div', { class: 'lead' }, prose(spec.info.description)),
    ...groups(operations).map(([tag, ops]) => el('section', {}, el('h2', {}, tag || t('other')), prose(about(tag)), el('dl', {}, ops.map(entry)))));
}

function drawOperation(op) {
  const fact = (word, text) => text && el('span', {}, `${t(word)}: `, el('code', {}, text));
  $('main').replaceChildren(
    el('h1', { tabindex: -1 }, op.name), el('p', { class: 'lead' }, inline(op.summary)),
    el('p', { class: 'facts' }, el('code', { class: 'path' }, el('b', {}, op.method), ` ${op.path}`), el('span', {}, t(op.keyed ? 'auth' : 'open')),
      fact('scope', op['x-scope']), fact('cli', op['x-cli'] && `anamnesis ${op['x-cli']}`), op.deprecated && el('em', {}, t('old'))),
    el('div', { class: 'prose' }, prose(op.description === op.summary ? '' : op.description)),
    el('h2', {}, t('request')), op.body ? fieldTable(t('request'), fields(view(op.body.schema))) : '—',
    ...Object.entries(op.responses ?? {}).flatMap(drawResponse), ...drawTrial(op));
}

function drawResponse([status, raw]) {
  const response = view(raw);
  const body = content(response);
  const good = status[0] === '2';
  const table = body && fieldTable(t(good ? 'response' : 'errors'), fields(view(body.schema)));
  const [told] = body ? given(body) : [];
  if (good) return [el('h2', {}, `${t('response')} `, el('small', {}, status)), table ?? '—',
    told === undefined ? '' : codeBlock(t('example'), tinted(pretty(told)))];
  const name = status === 'default' ? t('errors') : `${t('errors')} ${status}`;
  return [el('details', {}, el('summary', {}, name, el('code', {}, body?.type)), prose(response.description), table)];
}

// ---- Trying it

function draft(op) {
  if (!drafts.has(op.id)) drafts.set(op.id, { body: sampleBody(op) });
  return drafts.get(op.id);
}

// Only the path is kept: no document can send the key to another host.
const address = op => location.origin + new URL(op.path, location.origin).pathname;

function curl(op, body) {
  const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;
  return [
    `curl -sS ${op.method === (op.body ? 'POST' : 'GET') ? '' : `-X ${op.method} `}${quoted(address(op))}`,
    op.keyed && '-H "Authorization: Bearer $ANAMNESIS_KEY"', // a name, not the key: commands get pasted into chats
    ...(op.body ? [`-H ${quoted(`Content-Type: ${op.body.type}`)}`, `--data-raw ${quoted(body)}`] : []),
  ].filter(Boolean).join(' \\\n  ');
}

function drawTrial(op) {
  const state = draft(op);
  const command = codeBlock('curl', curl(op, state.body));
  const changed = () => { command.querySelector('code').textContent = curl(op, state.body); };
  const area = el('textarea', { id: 'body', rows: Math.min(24, state.body.split('\n').length + 2), spellcheck: 'false', 'aria-describedby': 'fault',
    oninput: () => { state.body = area.value; area.removeAttribute('aria-invalid'); $('fault').textContent = ''; changed(); } });
  area.value = state.body;
  const fill = (word, all) => el('button', { type: 'button', class: 'quiet',
    onclick: () => { area.value = sampleBody(op, all); area.dispatchEvent(new Event('input')); } }, t(word));
  const form = el('form', { onsubmit: event => { event.preventDefault(); submit(op, state); },
    onkeydown: event => { if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(op, state); } },
  op.keyed && keyField(),
  op.body && [el('div', { class: 'row' }, el('label', { for: 'body' }, t('body')), el('span', {}, fill('some', false), fill('all', true))), area],
  el('p', { id: 'fault', class: 'fault', role: 'alert' }),
  el('div', { class: 'row' }, el('button', { id: 'send', class: 'send' }, t(state.flight ? 'cancel' : 'send')),
    el('span', { class: 'dim' }, t('real', location.host))));
  return [el('h2', {}, t('example')), op.body ? codeBlock('JSON', tinted(sampleBody(op))) : '', command,
    el('h2', {}, t('trial')), form, el('div', { id: 'answer' }, drawAnswer(state.answer))];
}

function keyField() {
  const box = el('input', { id: 'key', type: 'password', autocomplete: 'off', 'aria-describedby': 'hint', oninput: () => { key = box.value; } });
  box.value = key;
  return [el('label', { for: 'key' }, t('key')), box, el('p', { id: 'hint', class: 'dim' }, t('keyHint'))];
}

function submit(op, state) {
  if (state.flight) return state.flight.abort();
  try {
    if (op.body) JSON.parse(state.body);
  } catch (error) {
    $('fault').textContent = t('badJson', error.message);
    $('body').setAttribute('aria-invalid', 'true');
    return $('body').focus();
  }
  return send(op, state);
}

async function send(op, state) {
  state.flight = new AbortController();
  state.answer = { fault: '…' };
  showAnswer(op, state);
  const began = performance.now();
  try {
    const headers = { ...(op.body && { 'Content-Type': op.body.type }), ...(op.keyed && key && { Authorization: `Bearer ${key.trim()}` }) };
    const response = await fetch(address(op), { method: op.method, headers, body: op.body && state.body,
      signal: state.flight.signal, credentials: 'omit', cache: 'no-store', redirect: 'error' });
    const text = await response.text();
    const header = name => response.headers.get(name) ?? '';
    state.answer = { text, ms: performance.now() - began, status: response.status,
      reason: response.statusText, type: header('Content-Type'), later: header('Retry-After') };
  } catch (error) {
    state.answer = { fault: t('lost', error.message) };
  }
  state.flight = undefined;
  showAnswer(op, state);
}

function showAnswer(op, state) {
  if (op.id !== current()) return; // the reader has moved on; the draft keeps it
  $('send').textContent = t(state.flight ? 'cancel' : 'send');
  $('answer').replaceChildren(...drawAnswer(state.answer));
  $('said').textContent = state.answer.fault ?? state.answer.status; // not the whole answer, read aloud
}

function drawAnswer(got) {
  if (!got) return [];
  if (got.fault) return [el('p', { class: 'fault' }, got.fault)];
  let doc;
  try { doc = JSON.parse(got.text); } catch { /* plain text, as of /metrics */ }
  const text = (doc === undefined ? got.text : pretty(doc)).slice(0, SHOWN_CHARS_MAX);
  return [
    el('p', { class: 'facts' }, el('b', { class: got.status < 400 ? '' : 'fault' }, `${got.status} ${got.reason}`),
      el('span', {}, `${got.ms.toFixed(got.ms < 10 ? 1 : 0)} ms`),
      got.later && el('span', {}, t('later', got.later))),
    /problem/.test(got.type) && doc ? drawProblem(doc) : '', codeBlock(t('response'), doc === undefined ? text : tinted(text)),
  ];
}

const drawProblem = ({ title, code, detail, errors }) => el('div', { class: 'problem' }, el('strong', {}, title), code && [' ', el('code', {}, code)],
  detail && el('p', {}, detail), Array.isArray(errors) && el('ul', {}, errors.map(error => el('li', {}, el('code', {}, error.field), ` ${error.message}`))));

// ---- The page

function draw() {
  document.documentElement.lang = ['en', 'zh-CN'][lang];
  for (const node of document.querySelectorAll('[data-t]')) node.textContent = t(node.dataset.t);
  $('filter').placeholder = t('filter');
  $('nav').setAttribute('aria-label', t('ops'));
  if (!spec) return;
  const op = operations.find(candidate => candidate.id === current());
  if (op) drawOperation(op);
  else if (current()) $('main').replaceChildren(el('h1', { tabindex: -1 }, t('missing')), el('p', {}, current()));
  else drawHome();
  document.title = `${op ? `${op.name} · ` : ''}${spec.info.title}`;
  drawNav();
}

function drawer(open) {
  $('side').classList.toggle('open', open);
  $('menu').setAttribute('aria-expanded', open);
}

async function load() {
  draw();
  try {
    const response = await fetch('/openapi.json', { credentials: 'omit', cache: 'no-cache' });
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    spec = await response.json();
    operations = readOperations();
    $('version').textContent = spec.info.version;
    draw();
  } catch (error) {
    $('main').replaceChildren(el('h1', {}, t('failed')), el('p', { class: 'fault', role: 'alert' }, error.message));
    throw error; // to the console, with its line
  }
}

$('lang').addEventListener('click', () => { lang = 1 - lang; draw(); });
$('menu').addEventListener('click', () => drawer(!$('side').classList.contains('open')));
$('filter').addEventListener('input', () => spec && drawNav());
$('filter').addEventListener('keydown', ({ key: pressed }) => {
  const first = $('nav').querySelector('a');
  if (pressed === 'Enter') first?.click();
  if (pressed === 'ArrowDown') first?.focus();
});
document.addEventListener('keydown', event => {
  if (event.key === 'Escape') drawer(false);
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input, textarea')) return;
  event.preventDefault();
  drawer(true);
  $('filter').focus();
});
window.addEventListener('hashchange', () => {
  if (location.hash === '#main') return; // the skip link
  drawer(false);
  draw();
  scrollTo(0, 0);
  $('main').querySelector('h1')?.focus({ preventScroll: true }); // no h1 while loading
});
load();
