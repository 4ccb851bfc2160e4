/*
 * The simulator's page: what the service holds, what it was asked, and what will go wrong next. It uses the control
 * interface only, so a test can do all of this too. Values reach the document as text, never as markup.
 */

/* Small helpers */

const byId = (id) => document.getElementById(id);

/** Creates an element. Children are elements or text. */
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

function button(words, onClick, attributes = {}) {
  const made = make("button", { type: "button", ...attributes }, words);
  made.addEventListener("click", onClick);
  return made;
}

function chip(text, tone, title) {
  return make("span", { class: "chip", "data-tone": tone, title }, text);
}

/** Changes a text only if it is another one, so that selections and screen readers are left alone. */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

/** `22:59:52`, in UTC like every time of the service. */
const timeOf = (iso) => iso.slice(11, 19);
const secondsOf = (iso) => `${iso.slice(0, 10)} ${timeOf(iso)}`;

/** Compact JSON for a cell; long values are cut there, and complete in the details. */
function compact(value) {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

const pretty = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

function durationOf(milliseconds) {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return `${Math.round(milliseconds / 1000)} s`;
  if (minutes < 120) return `${minutes} min`;
  return `${(minutes / 60).toFixed(1)} h`;
}

const money = (amount, currency) =>
  `${currency} ${amount.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;

/* The control interface */

/** The simulator refused, or did not respond. `status` is the status of the response, if there was one. */
class ControlError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function control(endpoint, body) {
  const [method, path] = endpoint.split(" ");
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  let response;
  try {
    response = await fetch(path, { method, cache: "no-store", ...sent });
  } catch {
    throw new ControlError("The simulator does not respond. Check that it is running.");
  }
  const { ok, status } = response;
  const answer = await response.json().catch(() => undefined);
  if (ok && answer !== undefined) return answer;
  throw new ControlError(
    answer?.error ?? answer?.message ?? `The simulator responded ${status} without a reason.`,
    status,
  );
}

/**
 * Does what the user asked for. A failure is shown in words, which may depend on the error; what worked is said to
 * screen readers.
 */
async function attempt(failure, work, success) {
  byId("problem").hidden = true;
  try {
    await work();
    if (success !== undefined) byId("done").textContent = success;
  } catch (error) {
    const words = typeof failure === "function" ? failure(error) : failure;
    byId("problem-text").textContent = `${words} ${error.message}`;
    byId("problem").hidden = false;
  }
}

/** To the browser's console, like any error that nothing catches. Running work goes on. */
function reportLater(error) {
  setTimeout(() => {
    throw error;
  });
}

/**
 * Loads a part of the page: one request at a time, and one more if there was a change meanwhile. A failed request is not
 * shown: the page says that it is not connected, and loads everything when it is connected again.
 */
function loader(load) {
  let isDue = false;
  let running;
  const run = async () => {
    while (isDue) {
      isDue = false;
      await load().catch((error) => {
        if (!(error instanceof ControlError)) reportLater(error);
      });
      await pause(100);
    }
    running = undefined;
  };
  return () => {
    isDue = true;
    running ??= run();
  };
}

/* The log of requests */

/** Operations that start or stop spending stand out. */
const spending = {
  "campaign.launch": "start",
  "campaign.resume": "start",
  "campaign.pause": "stop",
  "campaign.delete": "stop",
};

/** The effect of a request on spending, or undefined. Without a clear response it may have been carried out. */
function spendingWords({ operation, status }) {
  const verb = spending[operation];
  const isRefused = status >= 400 && status < 500 && status !== 409;
  if (verb === undefined || isRefused) return undefined;
  return status < 400 ? `${verb}s spending` : `can ${verb} spending`;
}

const statusNames = {
  200: "OK",
  204: "No Content",
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  422: "Invalid",
  429: "Too Many Requests",
  500: "Server Error",
  503: "Unavailable",
};

const log = {
  /** By number, ascending. */
  entries: [],
  byNumber: new Map(),
  /** The entries that pass the filter, ascending. The table shows them newest first. */
  shown: [],
  /** The rows in the document, by the number of their request. */
  rows: new Map(),
  /** The request whose row the Tab key reaches. */
  active: undefined,
  /** The requests that arrive while the log is read. */
  arrived: undefined,
  /** The newest request when the top of the log was last in sight. */
  seen: 0,
};

const problems = "problems";
const moneyRequests = "money";

function passes(entry, filter) {
  if (filter === "") return true;
  if (filter === moneyRequests) return entry.operation in spending;
  if (filter === problems) return typeof entry.status !== "number" || entry.status >= 400;
  return (entry.operation ?? "unknown") === filter;
}

function statusOf(entry) {
  if (entry.status === "none") return { text: "No response", tone: "warning" };
  if (entry.status === "reset") return { text: "Connection reset", tone: "danger" };
  const name = statusNames[entry.status];
  const text = name === undefined ? String(entry.status) : `${entry.status} ${name}`;
  if (entry.status < 400) return { text, tone: "good" };
  return { text, tone: entry.status < 500 ? "warning" : "danger" };
}

function tookOf({ milliseconds }) {
  return milliseconds === undefined ? "–" : `${Math.round(milliseconds).toLocaleString("en")} ms`;
}

function basisOf({ operation, documented }) {
  if (operation === undefined) return { text: "unknown", tone: "danger" };
  return documented ? { text: "documented", tone: "info" } : { text: "assumed", tone: "quiet" };
}

/** Takes a new request, or what became known of an earlier one. */
function receive(entry) {
  const present = log.byNumber.get(entry.number);
  if (present?.at === entry.at) {
    Object.assign(present, entry);
    return;
  }
  // Numbers begin again when the simulator is reset or restarted.
  if (present !== undefined) log.entries.splice(log.entries.indexOf(present), 1);
  log.byNumber.set(entry.number, entry);
  log.entries.push(entry);
  if (entry.number < (log.entries.at(-2)?.number ?? 0)) log.entries.sort((one, other) => one.number - other.number);
}

function replaceLog(entries) {
  log.entries = [];
  log.byNumber.clear();
  // A request that arrived while the log was read may not be in it.
  for (const entry of [...entries, ...log.arrived]) receive(entry);
  if (!log.byNumber.has(log.seen)) log.seen = 0;
  scheduleLog();
}

/** Draws at most once a frame, however many requests arrive. */
let isLogScheduled = false;
function scheduleLog() {
  if (isLogScheduled) return;
  isLogScheduled = true;
  requestAnimationFrame(() => {
    isLogScheduled = false;
    drawLog();
  });
}

const logScroll = byId("log-scroll");
const logRows = byId("log-rows");
const rowHeight = () => Number.parseFloat(getComputedStyle(byId("log")).getPropertyValue("--row"));

/** How far a request is from the top of the table, or undefined if it is not shown. */
function placeOf(number) {
  let [low, high] = [0, log.shown.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (log.shown[middle].number < number) low = middle + 1;
    else high = middle;
  }
  return log.shown[low]?.number === number ? log.shown.length - 1 - low : undefined;
}

const entryAt = (place) => log.shown[log.shown.length - 1 - place];

function drawLog() {
  const height = rowHeight();
  const isAtTop = logScroll.scrollTop < 1 && !logRows.contains(document.activeElement);
  const first = entryAt(Math.floor(logScroll.scrollTop / height));
  const filter = byId("filter").value;
  log.shown = log.entries.filter((entry) => passes(entry, filter));
  drawLogFrame();
  // New rows come in above. Those that someone looks at, or has the focus in, must not move.
  const place = isAtTop || first === undefined ? undefined : placeOf(first.number);
  if (place !== undefined) logScroll.scrollTop = place * height + (logScroll.scrollTop % height);
  drawRows(height);
  drawNewest();
}

function drawLogFrame() {
  const [all, shown] = [log.entries.length, log.shown.length];
  const isFiltered = byId("filter").value !== "";
  say(
    byId("requests-count"),
    isFiltered ? `${shown.toLocaleString("en")} of ${count(all, "request")}` : count(all, "request"),
  );
  byId("log").hidden = shown === 0;
  byId("requests-empty").hidden = shown > 0;
  say(
    byId("requests-empty"),
    all > 0 ? "No request passes the filter." : "No requests yet. They appear here as the service receives them.",
  );
  byId("log-table").setAttribute("aria-rowcount", String(shown + 1));
  const launches = log.entries.filter(({ operation }) => operation === "campaign.launch").length;
  say(byId("figure-launches"), launches.toLocaleString("en"));
  drawFilter();
}

/** Only the rows in sight, and some around them. Rows that stay are not moved, so the focus stays too. */
function drawRows(height) {
  const around = 10;
  const from = Math.max(0, Math.floor(logScroll.scrollTop / height) - around);
  const to = Math.min(log.shown.length, Math.ceil((logScroll.scrollTop + logScroll.clientHeight) / height) + around);
  const wanted = new Map();
  for (let place = from; place < to; place++) wanted.set(entryAt(place).number, place);
  for (const [number, row] of log.rows)
    if (!wanted.has(number)) {
      if (row.contains(document.activeElement)) logScroll.focus({ preventScroll: true });
      row.remove();
      log.rows.delete(number);
    }
  let next = byId("log-above").nextElementSibling;
  for (const [number, place] of wanted) {
    const present = log.rows.get(number);
    const row = present ?? newRow(number);
    fillRow(row, log.byNumber.get(number), place);
    if (present === undefined) logRows.insertBefore(row, next);
    else next = row.nextElementSibling;
  }
  byId("log-above").style.height = `${from * height}px`;
  byId("log-below").style.height = `${(log.shown.length - to) * height}px`;
  giveTabStop(wanted, Math.ceil(logScroll.scrollTop / height));
}

function giveTabStop(wanted, firstInSight) {
  if (!wanted.has(log.active)) log.active = entryAt(Math.min(firstInSight, log.shown.length - 1))?.number;
  for (const [number, row] of log.rows) row.querySelector("button").tabIndex = number === log.active ? 0 : -1;
}

function newRow(number) {
  const cell = (name) => make("td", { role: "cell", class: name });
  const row = make(
    "tr",
    { role: "row", "data-number": number },
    ...["time", "operation", "path", "body", "response", "took number", "endpoint"].map(cell),
  );
  row.children[1].append(make("button", { type: "button", class: "open" }));
  log.rows.set(number, row);
  return row;
}

const filled = new WeakMap();

/** The known facts of a request. Its number is not enough: numbers begin again after a reset. */
const knownOf = ({ at, status, milliseconds }) => `${at} ${status} ${milliseconds}`;

function fillRow(row, entry, place) {
  row.setAttribute("aria-rowindex", String(place + 2));
  const known = knownOf(entry);
  if (filled.get(row) === known) return;
  filled.set(row, known);
  const [time, operation, path, body, response, took, endpoint] = row.children;
  const spends = spendingWords(entry);
  row.classList.toggle("money", spends !== undefined);
  time.textContent = entry.at.slice(11, 23);
  time.title = entry.at;
  operation.firstChild.textContent = entry.operation ?? "unknown path";
  operation.children[1]?.remove();
  if (spends !== undefined) operation.append(chip(spends, "warning"));
  path.replaceChildren(make("code", { class: "method" }, entry.method), make("code", {}, entry.path));
  path.title = `${entry.method} ${entry.path}`;
  body.replaceChildren(make("code", { class: "quiet" }, compact(entry.body)));
  const status = statusOf(entry);
  response.replaceChildren(chip(status.text, status.tone));
  took.textContent = tookOf(entry);
  const basis = basisOf(entry);
  endpoint.replaceChildren(chip(basis.text, basis.tone));
}

/** Offers the way back to the newest requests while they arrive out of sight. */
function drawNewest() {
  const newest = log.shown.at(-1)?.number ?? 0;
  if (logScroll.scrollTop < 1) log.seen = newest;
  let unseen = 0;
  while (unseen < log.shown.length && entryAt(unseen).number > log.seen) unseen++;
  byId("log-newest").hidden = unseen === 0;
  say(byId("log-newest"), `↑ ${count(unseen, "new request")}`);
}

function drawFilter() {
  const filter = byId("filter");
  const seen = [...new Set(log.entries.map(({ operation }) => operation ?? "unknown"))].sort();
  if (filter.dataset.options === seen.join(" ") && filter.options.length > 0) return;
  filter.dataset.options = seen.join(" ");
  const { value } = filter;
  const option = (id, words) => make("option", { value: id }, words);
  const operations = [...new Set([...seen, ...(["", moneyRequests, problems].includes(value) ? [] : [value])])];
  filter.replaceChildren(
    option("", "All requests"),
    option(moneyRequests, "Money: start or stop spending"),
    option(problems, "Problems: errors, no response"),
    make("optgroup", { label: "One operation" }, ...operations.map((id) => option(id, id))),
  );
  filter.value = value;
}

/** Moves the focus to the row at this distance from the top. */
function focusRow(place) {
  const entry = entryAt(Math.max(0, Math.min(log.shown.length - 1, place)));
  if (entry === undefined) return;
  log.active = entry.number;
  const height = rowHeight();
  const top = placeOf(entry.number) * height;
  const inSight = logScroll.clientHeight - byId("log-table").tHead.offsetHeight;
  if (top < logScroll.scrollTop) logScroll.scrollTop = top;
  else if (top + height > logScroll.scrollTop + inSight) logScroll.scrollTop = top + height - inSight;
  drawRows(height);
  log.rows.get(entry.number)?.querySelector("button").focus({ preventScroll: true });
}

function onLogKey(event) {
  const row = event.target.closest("tr[data-number]");
  if (row === null) return;
  const place = placeOf(Number(row.dataset.number));
  const page = Math.max(1, Math.floor(logScroll.clientHeight / rowHeight()) - 1);
  const places = {
    ArrowDown: place + 1,
    ArrowUp: place - 1,
    PageDown: place + page,
    PageUp: place - page,
    Home: 0,
    End: log.shown.length - 1,
  };
  if (!(event.key in places)) return;
  event.preventDefault();
  focusRow(places[event.key]);
}

/* The objects */

const when = (iso) => (iso == null ? "never" : secondsOf(iso));
const list = (values) => values.join(", ");

const campaignTones = { ENABLED: "good", PAUSED: "warning", REMOVED: "quiet" };

/** One that the service holds starts by itself. */
const campaignStatusOf = ({ status, primary_status_reasons: reasons }) =>
  reasons.includes("CONVERSION_TRACKING_PENDING") ? `${status} until tracking verifies` : status;

const spendingKey = (appId, campaignId) => JSON.stringify([appId, campaignId]);
const spendingOf = ({ owner, value }) => state.spending.get(spendingKey(owner, value.id));

/** An amount in the campaign's currency, or "–" while that is not known. */
function amountOf(row, amount) {
  const known = spendingOf(row);
  return known === undefined ? "–" : money(amount(known), known.currency);
}

const dailyBudget = ({ value }) => value.daily_budget_micros / 1e6;

/** Objects of several owners, each with the path parameters that name it. */
function owned(byOwner, ownerName, idName, idOf, nameOf = idOf) {
  return Object.entries(byOwner ?? {}).flatMap(([owner, values]) =>
    values.map((value) => ({
      owner,
      value,
      name: nameOf(value),
      parameters: { [ownerName]: owner, [idName]: idOf(value) },
    })),
  );
}

const ofId = ({ id }) => id;

/**
 * Each kind of object: its rows, and its columns after the first, which is the name. A cell is a text, a chip with its tone,
 * or a text with a quieter line below it.
 */
const kinds = [
  {
    id: "campaigns",
    title: "Campaigns",
    one: "campaign",
    rows: (all) => owned(all.campaigns, "app_id", "campaign_id", ofId, (value) => value.campaign_name),
    below: ({ value }) => `${value.id} · ${value.campaign_type}`,
    columns: [
      ["App", ({ owner }) => owner],
      ["Status", ({ value }) => ({ chip: campaignStatusOf(value), tone: campaignTones[value.status] })],
      ["Budget a day", (row) => amountOf(row, () => dailyBudget(row)), "number"],
      ["Spent so far (simulated)", (row) => amountOf(row, ({ spent }) => spent), "number volatile"],
      ["Launched", ({ value }) => when(value.created_date), "when"],
    ],
  },
  {
    id: "webhooks",
    title: "Webhooks",
    one: "webhook",
    rows: (all) => owned(all.webhooks, "agent_id", "webhook_id", ofId, (value) => value.target_url),
    below: ({ value }) => [value.id, value.description].filter(Boolean).join(" · "),
    columns: [
      ["Agent", ({ owner }) => owner],
      [
        "State",
        ({ value }) => (value.disabled_at === null ? { chip: "on", tone: "good" } : { chip: "off", tone: "danger" }),
      ],
      ["Failures in a row", ({ value }) => `${value.consecutive_failures} of 20`, "number"],
      ["Last delivery", ({ value }) => ({ text: when(value.last_trigger_time), below: value.last_error?.message })],
      ["Events", ({ value }) => list(value.events), "when"],
    ],
  },
  {
    id: "folders",
    title: "Apps in folders",
    one: "app in a folder",
    many: "apps in folders",
    rows: (all) => owned(all.folders, "folder_id", "app_id", (appId) => appId),
    columns: [["Folder", ({ owner }) => owner]],
  },
  {
    id: "records",
    title: "Records",
    one: "record",
    rows: (all) =>
      Object.entries(all.records ?? {}).flatMap(([appId, entities]) =>
        owned(entities, "entity_name", "entity_id", ofId).map((row) => ({
          ...row,
          parameters: { app_id: appId, ...row.parameters },
        })),
      ),
    columns: [
      ["App", ({ parameters }) => parameters.app_id],
      ["Entity", ({ owner }) => owner],
      ["Values", ({ value }) => compact(ownValues(value))],
      ["Updated", ({ value }) => when(value.updated_date), "when"],
    ],
  },
  {
    id: "tests",
    title: "Tests",
    one: "test",
    rows: (all) => owned(all.tests, "app_id", "flow_id", ofId, ({ id, definition }) => String(definition.name ?? id)),
    below: ({ value }) => value.id,
    columns: [
      ["App", ({ owner }) => owner],
      ["Running", ({ value }) => count(value.running.length, "run")],
      ["Updated", ({ value }) => when(value.updated_date), "when"],
    ],
  },
  {
    id: "scans",
    title: "Security scans",
    one: "security scan",
    rows: (all) =>
      Object.entries(all.scans ?? {}).map(([appId, value]) => ({ value, name: appId, parameters: { app_id: appId } })),
    columns: [
      ["Status", ({ value }) => ({ chip: value.status, tone: value.status === "scan_failed" ? "danger" : "info" })],
      ["Ignored findings", ({ value }) => list(value.ignored_fingerprints) || "none"],
      ["Scanned", ({ value }) => when(value.result?.scanned_at)],
    ],
  },
  {
    id: "conversionGoals",
    title: "Conversion goals",
    one: "conversion goal",
    rows: (all) => owned(all.conversionGoals, "app_id", "goal", (goal) => goal),
    columns: [["App", ({ owner }) => owner]],
  },
  {
    id: "codingSessions",
    title: "Coding sessions",
    one: "coding session",
    rows: (all) => owned(all.codingSessions, "app_id", "session_id", ofId),
    columns: [
      ["App", ({ owner }) => owner],
      ["State", ({ value }) => ({ chip: value.state, tone: value.state === "failed" ? "danger" : "info" })],
      ["Repository", ({ value }) => value.repository_full_name],
      ["Branch", ({ value }) => value.branch_name ?? "none yet"],
    ],
  },
  {
    id: "members",
    title: "Members",
    one: "member",
    isClosed: true,
    rows: (all) =>
      (all.members ?? []).map((value) => ({
        value,
        name: value.full_name || value.email,
        parameters: { email: value.email },
      })),
    below: ({ value }) => value.email,
    columns: [
      ["Role", ({ value }) => value.role],
      ["Status", ({ value }) => ({ chip: value.status, tone: value.status === "joined" ? "good" : "quiet" })],
      ["Credits used", ({ value }) => value.credits_used.toLocaleString("en"), "number"],
    ],
  },
];

const automaticFields = ["id", "created_date", "updated_date", "created_by", "created_by_id", "is_sample"];

function ownValues(record) {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !automaticFields.includes(name)));
}

const state = {
  /** From the control interface; by id. */
  operations: new Map(),
  presets: [],
  faults: [],
  /** The spending of campaigns, by app and id. */
  spending: new Map(),
  /** Undefined until the objects are first loaded, so that nothing is marked as new then. */
  objects: undefined,
  clock: undefined,
};

/** The marks, by the object's key: "new", "changed" or "removed"; the oldest first. */
const marks = new Map();
/** One timer for all marks: thousands of objects can change at once. */
let unmarking;
/** How long a change stays marked. */
const markMilliseconds = 10_000;
/** More rows of one kind are shown on demand. */
const rowsAtFirst = 100;

const keyOf = (kind, { parameters }) => JSON.stringify([kind.id, ...Object.values(parameters)]);

/** All objects in the form that the tables show, by key. */
function keyed(all) {
  const objects = new Map();
  for (const kind of kinds)
    for (const row of kind.rows(all)) objects.set(keyOf(kind, row), { ...row, kind, text: JSON.stringify(row.value) });
  return objects;
}

function takeObjects(all) {
  const [before, now] = [state.objects, keyed(all)];
  state.objects = now;
  if (before !== undefined) markChanges(before, now);
  drawObjects();
}

function markChanges(before, now) {
  const found = [];
  for (const [key, row] of now) {
    const earlier = before.get(key);
    if (earlier === undefined || marks.get(key)?.mark === "removed") found.push([key, "new", row]);
    else if (earlier.text !== row.text) found.push([key, marks.get(key)?.mark === "new" ? "new" : "changed", row]);
  }
  for (const [key, row] of before) if (!now.has(key)) found.push([key, "removed", row]);
  if (found.length === 0) return;
  const end = Date.now() + markMilliseconds;
  for (const [key, mark, row] of found) {
    marks.delete(key);
    marks.set(key, { mark, row, end });
  }
  unmarking ??= setTimeout(unmark, markMilliseconds);
  announce(found);
}

function unmark() {
  const now = Date.now();
  for (const [key, { end }] of marks) if (end <= now) marks.delete(key);
  const [oldest] = marks.values();
  unmarking = oldest === undefined ? undefined : setTimeout(unmark, oldest.end - now);
  drawObjects();
}

/** One sentence for all changes of a moment. */
function announce(found) {
  const [[, mark, { kind, name }]] = found;
  const words = found.length === 1 ? `${kind.one} ${name}: ${mark}.` : `${count(found.length, "object")} changed.`;
  byId("changes").textContent = words[0].toUpperCase() + words.slice(1);
}

function drawObjects() {
  const objects = state.objects ?? new Map();
  const byKind = new Map(kinds.map((kind) => [kind, []]));
  for (const [key, row] of objects) byKind.get(row.kind).push([key, row]);
  for (const [key, { mark, row }] of marks) if (mark === "removed") byKind.get(row.kind).push([key, row]);
  for (const [kind, rows] of byKind) drawKind(kind, rows);
  const none = [...byKind].filter(([, rows]) => rows.length === 0).map(([{ one, many = `${one}s` }]) => many);
  byId("objects-none").hidden = none.length === 0;
  say(byId("objects-none"), `None yet: ${list(none)}.`);
  say(byId("objects-count"), count(objects.size, "object"));
  byId("objects-empty").hidden = [...objects.values()].some(({ kind }) => kind.id !== "members");
  drawMoney();
  drawChoices();
  redrawDetails();
}

function drawMoney() {
  const campaigns = [...(state.objects?.values() ?? [])].filter(({ kind }) => kind.id === "campaigns");
  const live = campaigns.filter(({ value }) => value.status === "ENABLED");
  say(byId("figure-live"), live.length.toLocaleString("en"));
  const known = live.filter((row) => spendingOf(row) !== undefined);
  say(byId("figure-budget"), sums(known.map((row) => [spendingOf(row).currency, dailyBudget(row)])));
  say(byId("figure-spent"), sums([...state.spending.values()].map(({ currency, spent }) => [currency, spent])));
}

/** Amounts added up by currency. */
function sums(amounts) {
  const byCurrency = new Map();
  for (const [currency, amount] of amounts) byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + amount);
  return [...byCurrency].map(([currency, amount]) => money(amount, currency)).join(" + ") || "–";
}

/* The tables of objects. Rows and cells are kept and filled again, so that the focus stays where it is. */

const tables = new Map();

function tableOf(kind) {
  const present = tables.get(kind);
  if (present !== undefined) return present;
  const id = `kind-${kind.id}`;
  const title = kind.one[0].toUpperCase() + kind.one.slice(1);
  const heads = [[title], ...kind.columns].map(([words, , style = ""]) =>
    make("th", { role: "columnheader", scope: "col", class: style.replace("volatile", "") }, words),
  );
  const number = make("span", { class: "quiet" });
  const body = make("tbody", { role: "rowgroup" });
  const more = button("", () => {
    made.limit += 500;
    drawObjects();
  });
  more.classList.add("more");
  const section = make(
    "details",
    { class: "kind", open: kind.isClosed !== true },
    make("summary", {}, make("h3", { id }, kind.title), number),
    make(
      "table",
      { role: "table", "aria-labelledby": id },
      make("thead", { role: "rowgroup" }, make("tr", { role: "row" }, ...heads)),
      body,
    ),
    more,
  );
  const made = { section, number, body, more, rows: new Map(), limit: rowsAtFirst };
  tables.set(kind, made);
  const later = kinds.slice(kinds.indexOf(kind) + 1).find((other) => tables.has(other));
  byId("kinds").insertBefore(section, later === undefined ? null : tables.get(later).section);
  return made;
}

function drawKind(kind, all) {
  if (all.length === 0 && !tables.has(kind)) return;
  const table = tableOf(kind);
  table.section.hidden = all.length === 0;
  // Those that changed are among the rows too, unless there are very many.
  const rows = all.slice(0, table.limit);
  const changed = all.slice(table.limit).filter(([key]) => marks.has(key));
  rows.push(...changed.slice(0, rowsAtFirst));
  const wanted = new Set(rows.map(([key]) => key));
  for (const [key, row] of table.rows)
    if (!wanted.has(key)) {
      row.remove();
      table.rows.delete(key);
    }
  for (const [key, object] of rows) drawObject(table, kind, key, object);
  say(table.number, count(all.filter(([key]) => marks.get(key)?.mark !== "removed").length, kind.one, kind.many));
  const left = all.length - rows.length;
  table.more.hidden = left === 0;
  say(table.more, `Show more (${rows.length.toLocaleString("en")} of ${all.length.toLocaleString("en")} shown)`);
}

function drawObject(table, kind, key, object) {
  const mark = marks.get(key)?.mark;
  let row = table.rows.get(key);
  if (row === undefined) {
    row = make("tr", { role: "row", "data-key": key });
    const open = button("", () => openObject(key), { class: "open" });
    row.append(make("td", { role: "cell" }, open, make("span", { class: "chip", "data-tone": "info" })));
    row.children[0].append(make("span", { class: "below" }));
    for (const [title, , style = ""] of kind.columns)
      row.append(make("td", { role: "cell", "data-title": title, class: style }));
    table.rows.set(key, row);
    table.body.append(row);
  }
  if (mark === undefined) delete row.dataset.mark;
  else row.dataset.mark = mark;
  const [open, shownMark, below] = row.children[0].children;
  say(open, object.name);
  shownMark.hidden = mark === undefined;
  say(shownMark, mark ?? "");
  say(below, kind.below?.(object) ?? "");
  kind.columns.forEach(([, content], index) => {
    fillCell(row.children[index + 1], content(object), mark);
  });
}

function fillCell(cell, content, mark) {
  const text = JSON.stringify(content);
  const earlier = filled.get(cell);
  if (mark === undefined) delete cell.dataset.changed;
  if (earlier === text) return;
  filled.set(cell, text);
  const isVolatile = cell.classList.contains("volatile");
  if (earlier !== undefined && mark === "changed" && !isVolatile) cell.dataset.changed = "";
  cell.replaceChildren(contentOf(content));
}

/** One element, so that a narrow screen can put it beside the column's title. */
function contentOf(content) {
  if (typeof content !== "object") return make("span", {}, content);
  const { chip: words, tone, text, below } = content;
  if (words !== undefined) return make("span", {}, chip(words, tone));
  return make("span", {}, text, below ? make("span", { class: "below" }, below) : undefined);
}

/* Faults */

const isAtOnce = (preset) => preset.needsObject !== undefined;
const chosenPreset = () => state.presets.find(({ id }) => id === byId("fault-form").elements.preset?.value);
const parameterNames = (endpoint) => [...endpoint.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
const parameterWords = {
  app_id: "App",
  agent_id: "Agent",
  webhook_id: "Webhook",
  campaign_id: "Campaign",
  folder_id: "Folder",
  entity_name: "Entity",
  entity_id: "Record",
  flow_id: "Test",
  session_id: "Coding session",
  fingerprint: "Finding",
};

function drawPresets() {
  const options = state.presets.map(({ id, words }, index) => {
    const input = make("input", { type: "radio", name: "preset", value: id, checked: index === 0 });
    input.addEventListener("change", drawFields);
    return make("label", {}, input, make("span", {}, words));
  });
  byId("presets").replaceChildren(...options);
  drawFields();
}

/** The fields that the chosen preset needs: the operation and how often, or the object. */
function drawFields() {
  const preset = chosenPreset();
  if (preset === undefined) return;
  const fields = isAtOnce(preset) ? [objectField()] : [operationField(preset), parameterFields(), timesField(preset)];
  byId("fault-fields").replaceChildren(...fields);
  say(byId("fault-submit"), isAtOnce(preset) ? "Do it now" : "Put it in place");
  drawParameters();
  drawChoices();
}

function field(words, input, ...more) {
  input.id = `fault-${input.name}`;
  return make("div", { class: "field" }, make("label", { for: input.id }, words), input, ...more);
}

function objectField() {
  return field("Object", make("select", { name: "object", required: true }));
}

function operationField({ operations }) {
  const select = make("select", { name: "operation" }, ...operations.map((id) => make("option", { value: id }, id)));
  select.addEventListener("change", drawParameters);
  return field("Operation", select);
}

function parameterFields() {
  return make("div", { id: "fault-parameters", class: "fields" });
}

function timesField({ id }) {
  // A list that lags does so until the fault is removed, unless a number is given.
  const isLag = id === "list-lag";
  const how = isLag ? { placeholder: "until removed" } : { value: 1, required: true };
  return field("How many times", make("input", { name: "times", type: "number", min: 1, max: 1000, ...how }));
}

/** One field for each path parameter of the operation: which object the fault is for. */
function drawParameters() {
  const place = byId("fault-parameters");
  const operation = state.operations.get(byId("fault-form").elements.operation?.value);
  if (place === null || operation === undefined) return;
  const fields = parameterNames(operation.endpoint).map((name) => {
    const input = make("input", {
      name: `parameter:${name}`,
      list: `known:${name}`,
      placeholder: "any",
      autocomplete: "off",
    });
    return field(parameterWords[name] ?? name, input, make("datalist", { id: `known:${name}` }));
  });
  place.hidden = fields.length === 0;
  place.replaceChildren(...fields);
  drawChoices();
}

/** The objects to choose from. Chosen and typed values stay. */
function drawChoices() {
  const form = byId("fault-form");
  const objects = [...(state.objects ?? [])];
  for (const datalist of form.querySelectorAll("datalist")) {
    const name = datalist.id.replace("known:", "");
    const values = new Set(
      objects.map(([, { parameters }]) => parameters[name]).filter((value) => value !== undefined),
    );
    fillOptions(
      datalist,
      [...values].map((value) => [value, ""]),
    );
  }
  const select = form.elements.object;
  if (select === undefined) return;
  const usable = objects.filter(([, row]) => isUsable(chosenPreset(), row));
  fillOptions(
    select,
    usable.map(([key, row]) => [key, `${row.name} (${row.kind.one}, ${list(Object.values(row.parameters))})`]),
  );
  byId("fault-submit").disabled = usable.length === 0;
}

function fillOptions(parent, options) {
  const text = JSON.stringify(options);
  if (filled.get(parent) === text) return;
  filled.set(parent, text);
  const { value } = parent;
  parent.replaceChildren(...options.map(([id, words]) => make("option", { value: id }, words)));
  if (options.some(([id]) => id === value)) parent.value = value;
}

function isUsable(preset, row) {
  return preset !== undefined && operationFor(preset, row) !== undefined;
}

/** The operation of a preset whose path names this object. */
function operationFor(preset, { parameters }) {
  const names = Object.keys(parameters).sort().join();
  return preset.operations.find(
    (id) =>
      parameterNames(state.operations.get(id)?.endpoint ?? "")
        .sort()
        .join() === names,
  );
}

/** The fault of the form, as the control interface takes it. */
function chosenFault() {
  const { elements } = byId("fault-form");
  const preset = chosenPreset();
  if (isAtOnce(preset)) return atOnce(preset, state.objects.get(elements.object.value));
  const parameters = Object.fromEntries(
    [...elements]
      .filter(({ name, value }) => name.startsWith("parameter:") && value !== "")
      .map(({ name, value }) => [name.replace("parameter:", ""), value]),
  );
  return {
    preset: preset.id,
    operation: elements.operation.value,
    ...(Object.keys(parameters).length === 0 ? {} : { parameters }),
    ...(elements.times.value === "" ? {} : { times: Number(elements.times.value) }),
  };
}

function atOnce(preset, row) {
  return { preset: preset.id, operation: operationFor(preset, row), parameters: row.parameters };
}

function putInPlace(fault) {
  const preset = state.presets.find(({ id }) => id === fault.preset);
  const success = `${isAtOnce(preset) ? "Done" : "Waiting"}: ${preset.words}.`;
  const failure = `“${preset.words}” ${isAtOnce(preset) ? "was not done" : "was not put in place"}.`;
  return attempt(failure, () => control("POST presets", fault), success);
}

const waiting = new Map();

function drawFaults() {
  byId("waiting-none").hidden = state.faults.length > 0;
  byId("remove-all").hidden = state.faults.length === 0;
  const numbers = new Set(state.faults.map(({ number }) => number));
  for (const [number, item] of waiting)
    if (!numbers.has(number)) {
      const hadFocus = item.contains(document.activeElement);
      item.remove();
      waiting.delete(number);
      if (hadFocus) (byId("waiting").querySelector("button") ?? byId("faults")).focus();
    }
  for (const fault of state.faults) drawFault(fault);
}

function drawFault(fault) {
  let item = waiting.get(fault.number);
  if (item === undefined) {
    const remove = button("Remove", () =>
      attempt("The fault is not removed.", () => control(`DELETE faults?number=${fault.number}`), "Fault removed."),
    );
    remove.classList.add("small");
    remove.setAttribute("aria-label", `Remove: ${fault.words}, ${fault.operation}`);
    item = make(
      "li",
      {},
      make("p", {}, make("strong")),
      make("p", {}, make("code")),
      make("p", { class: "quiet" }),
      remove,
    );
    waiting.set(fault.number, item);
    byId("waiting").append(item);
  }
  const [words, operation, left] = item.children;
  say(words.firstChild, fault.words);
  const of = Object.entries(fault.parameters ?? {}).map(([name, value]) => `${name} ${value}`);
  say(operation.firstChild, [fault.operation, ...of].join(" · "));
  say(left, remainingOf(fault));
}

function remainingOf({ remaining, skip = 0 }) {
  const times = remaining === "always" ? "Until removed" : `${count(remaining, "time")} left`;
  return skip > 0 ? `${times}, after ${count(skip, "request")}` : times;
}

/* Details: one request, or one object */

/** The contents of the drawer: `{ number }` or `{ key }`. */
let opened;

const details = byId("details");

function openDetails(what) {
  opened = what;
  byId("details-body").replaceChildren();
  byId("details-body").scrollTop = 0;
  for (const id of ["details-newer", "details-older"]) byId(id).hidden = what.number === undefined;
  redrawDetails();
  if (details.open) return;
  byId("details-body").before(byId("messages"));
  details.showModal();
}

function redrawDetails() {
  if (opened?.key !== undefined) drawObjectDetails(opened.key);
  if (opened?.number !== undefined) void drawExchange(opened.number);
}

function openObject(key) {
  openDetails({ key });
}

function drawObjectDetails(key) {
  const row = state.objects?.get(key);
  if (row === undefined) {
    drawGone();
    return;
  }
  if (opened.text === row.text) return;
  // The buttons stay when the values change, and so does the focus.
  if (opened.text === undefined) byId("details-body").replaceChildren(actionsFor(row), make("div"));
  opened.text = row.text;
  byId("details-kicker").textContent = row.kind.one;
  byId("details-title").textContent = row.name;
  const values = typeof row.value === "object" ? row.value : {};
  byId("details-body").lastChild.replaceChildren(
    pairs(Object.entries(row.parameters)),
    make("h3", {}, "Values"),
    pairs(Object.entries(values)),
  );
}

function drawGone() {
  const body = byId("details-body");
  if (body.contains(document.activeElement)) byId("details-close").focus();
  body.replaceChildren(make("p", { class: "empty" }, "The service no longer holds it."));
  opened.text = undefined;
}

function actionsFor(row) {
  const actions = state.presets
    .filter((preset) => isAtOnce(preset) && isUsable(preset, row))
    .map((preset) => button(preset.words, () => putInPlace(atOnce(preset, row))));
  return make("div", { class: "buttons" }, ...actions);
}

function pairs(entries) {
  const shown = (value) => (value === null || value === undefined ? "–" : pretty(value));
  return make(
    "dl",
    { class: "pairs" },
    ...entries.flatMap(([name, value]) => [make("dt", {}, name), make("dd", { class: "mono" }, shown(value))]),
  );
}

async function drawExchange(number) {
  const entry = log.byNumber.get(number);
  if (entry === undefined || opened.known === knownOf(entry)) return;
  opened.known = knownOf(entry);
  byId("details-kicker").textContent = `Request ${number.toLocaleString("en")}`;
  byId("details-title").textContent = entry.operation ?? "unknown path";
  drawNeighbours(number);
  let shown;
  try {
    shown = exchangeParts(entry, await control(`GET exchange?number=${number}`));
  } catch (error) {
    shown = [make("p", { class: "empty" }, `The exchange cannot be shown. ${error.message}`)];
  }
  if (opened?.number === number) byId("details-body").replaceChildren(factsOf(entry), ...shown);
}

function drawNeighbours(number) {
  const place = placeOf(number);
  byId("details-newer").disabled = place === undefined || place === 0;
  byId("details-older").disabled = place === undefined || place >= log.shown.length - 1;
}

function factsOf(entry) {
  const [status, basis] = [statusOf(entry), basisOf(entry)];
  const facts = make("dl", { class: "pairs" });
  const add = (name, value) => facts.append(make("dt", {}, name), make("dd", {}, value));
  add("Response", chip(status.text, status.tone));
  add("Endpoint", chip(basis.text, basis.tone));
  const spends = spendingWords(entry);
  if (spends !== undefined) add("Money", chip(spends, "warning"));
  add("Received", `${entry.at} by the service's clock`);
  add("Took", tookOf(entry));
  add("Credential", entry.credential);
  if (entry.idempotencyKey !== undefined) add("Idempotency key", entry.idempotencyKey);
  return facts;
}

function exchangeParts(entry, { request, response }) {
  const parts = [make("h3", {}, "Request"), make("p", { class: "line" }, `${entry.method} ${entry.path}`)];
  parts.push(...messageParts(request), make("h3", {}, "Response"));
  if (typeof response !== "object" || response === null)
    return [...parts, make("p", { class: "empty" }, noResponse(entry))];
  return [
    ...parts,
    make("p", { class: "line" }, statusOf({ status: response.status }).text),
    ...messageParts(response),
  ];
}

function noResponse({ status }) {
  return status === "reset" ? "The connection was reset instead of a response." : "No response was sent so far.";
}

function messageParts({ headers, body, fullLength }) {
  const parts = [pairs(Object.entries(headers))];
  if (body === "") return [...parts, make("p", { class: "quiet line" }, "No body.")];
  parts.push(make("pre", { tabindex: 0, role: "region", "aria-label": "Body" }, prettyText(body)));
  if (fullLength !== undefined)
    parts.push(make("p", { class: "quiet line" }, `Only its beginning is kept, of ${count(fullLength, "character")}.`));
  return parts;
}

/** JSON with one value a line; any other text unchanged. */
function prettyText(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function openNeighbour(step) {
  const entry = entryAt(placeOf(opened.number) + step);
  if (entry === undefined) return;
  log.active = entry.number;
  openDetails({ number: entry.number });
  focusIn(step > 0 ? "details-older" : "details-newer");
}

/** A disabled button cannot keep the focus. */
function focusIn(id) {
  byId(byId(id).disabled ? "details-close" : id).focus();
}

function closeDetails() {
  const { number } = opened ?? {};
  opened = undefined;
  document.querySelector("main").before(byId("messages"));
  const place = number === undefined ? undefined : placeOf(number);
  // The row that opened it may have left the document meanwhile.
  if (place !== undefined) focusRow(place);
}

/* The clock */

function takeClock({ now, aheadMilliseconds, quarantineMilliseconds }) {
  state.clock = { ahead: Date.parse(now) - Date.now(), quarantineMilliseconds };
  say(byId("clock-ahead"), aheadMilliseconds > 0 ? `${durationOf(aheadMilliseconds)} ahead` : "");
  byId("advance-quarantine").disabled = false;
  say(byId("advance-quarantine"), `Advance by the quarantine (${durationOf(quarantineMilliseconds)})`);
  tick();
}

function tick() {
  if (state.clock === undefined) return;
  const iso = new Date(Date.now() + state.clock.ahead).toISOString();
  byId("clock-now").dateTime = iso;
  say(byId("clock-now"), `${secondsOf(iso)} UTC`);
}

function advance(milliseconds) {
  return attempt(
    "The clock was not advanced.",
    () => control("POST clock", { advanceMilliseconds: milliseconds }),
    `The clock was advanced by ${durationOf(milliseconds)}.`,
  );
}

/* Reset, export and import */

/** Asks before something is lost. */
function confirmed({ title, text, action }) {
  const dialog = byId("confirm");
  byId("confirm-title").textContent = title;
  byId("confirm-text").textContent = text;
  byId("confirm-yes").textContent = action;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true });
  });
}

async function reset() {
  const isMeant = await confirmed({
    title: "Reset the simulator?",
    text: "All objects, requests and faults are removed, and the clock goes back. Export the objects first if you need them again.",
    action: "Reset",
  });
  if (isMeant)
    await attempt("The simulator was not reset.", () => control("POST reset", {}), "The simulator was reset.");
}

function exportObjects() {
  return attempt(
    "The objects were not exported.",
    async () => {
      const text = `${JSON.stringify(await control("GET objects"), null, 2)}\n`;
      const address = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      make("a", { href: address, download: "simulator-objects.json" }).click();
      // The download has its own hold on the data only after it began.
      setTimeout(() => URL.revokeObjectURL(address), 10_000);
    },
    "The objects were exported.",
  );
}

async function importObjects(file) {
  const isMeant = await confirmed({
    title: "Replace all objects?",
    text: `The objects in ${file.name} replace all objects of the simulator.`,
    action: "Replace",
  });
  if (!isMeant) return;
  await attempt(
    (error) =>
      error instanceof ControlError && error.status !== 400
        ? `It is not known whether ${file.name} was imported.`
        : `${file.name} was not imported. Nothing was changed.`,
    async () => control("PUT objects", jsonIn(await file.text())),
    `${file.name} was imported.`,
  );
}

function jsonIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("The file is not JSON.");
  }
}

/* Live */

const loadSpending = async () => {
  const { campaigns } = await control("GET spending");
  state.spending = new Map(campaigns.map((one) => [spendingKey(one.appId, one.campaignId), one]));
};

const refresh = {
  objects: loader(async () => {
    const all = await control("GET objects");
    // Afterwards, so that it has every campaign of these.
    await loadSpending();
    takeObjects(all);
  }),
  faults: loader(async () => {
    state.faults = (await control("GET faults")).faults;
    drawFaults();
  }),
  clock: loader(async () => {
    takeClock(await control("GET clock"));
  }),
  requests: loader(async () => {
    log.arrived = [];
    try {
      replaceLog((await control("GET requests")).requests);
    } finally {
      log.arrived = undefined;
    }
  }),
  /** The abilities of the simulator. Another version of it may have others. */
  abilities: loader(async () => {
    const [{ operations }, { presets }] = await Promise.all([control("GET operations"), control("GET presets")]);
    const isSame = JSON.stringify(presets) === JSON.stringify(state.presets);
    state.operations = new Map(operations.map((operation) => [operation.id, operation]));
    state.presets = presets;
    if (!isSame) drawPresets();
  }),
};

function onConnection(isConnected) {
  byId("disconnected").hidden = isConnected;
  byId("connection").dataset.tone = isConnected ? "good" : "danger";
  say(byId("connection"), isConnected ? "Connected" : "Not connected");
}

function connect() {
  const events = new EventSource("events");
  events.addEventListener("open", () => {
    onConnection(true);
    // Also after the simulator was restarted: nothing of what the page knew need be true.
    for (const load of Object.values(refresh)) load();
  });
  events.addEventListener("error", () => {
    onConnection(false);
    if (events.readyState !== EventSource.CLOSED) return;
    // The browser tries again only where there was no response at all.
    setTimeout(connect, 2000);
  });
  events.addEventListener("request", ({ data }) => {
    const entry = JSON.parse(data);
    receive(entry);
    log.arrived?.push(entry);
    scheduleLog();
    if (opened?.number === entry.number) redrawDetails();
  });
  events.addEventListener("changed", ({ data }) => {
    const { what } = JSON.parse(data);
    for (const one of what) refresh[one]?.();
    // Spending goes by the clock.
    if (what.includes("clock")) refresh.objects();
  });
}

function listen() {
  const on = (id, event, handler) => byId(id).addEventListener(event, handler);
  on("advance-minute", "click", () => advance(60_000));
  on("advance-quarantine", "click", () => advance(state.clock.quarantineMilliseconds));
  on("reset", "click", reset);
  on("export", "click", exportObjects);
  on("import", "click", () => byId("import-file").click());
  on("import-file", "change", ({ target }) => {
    const [file] = target.files;
    if (file !== undefined) void importObjects(file);
    // So that the same file can be chosen again.
    target.value = "";
  });
  on("problem-close", "click", () => {
    byId("problem").hidden = true;
  });
  on("filter", "change", () => {
    logScroll.scrollTop = 0;
    scheduleLog();
  });
  on("clear-requests", "click", () => attempt("The requests were not cleared.", () => control("DELETE requests")));
  on("remove-all", "click", () =>
    attempt("The faults were not removed.", () => control("DELETE faults"), "All faults removed."),
  );
  on("fault-form", "submit", (event) => {
    event.preventDefault();
    void putInPlace(chosenFault());
  });
  on("details", "close", closeDetails);
  on("details-close", "click", () => details.close());
  on("details-newer", "click", () => openNeighbour(-1));
  on("details-older", "click", () => openNeighbour(1));
  listenToLog(on);
}

function listenToLog(on) {
  on("log-scroll", "scroll", scheduleLog);
  on("log-rows", "keydown", onLogKey);
  on("log-rows", "click", ({ target }) => {
    const row = target.closest("tr[data-number]");
    if (row === null) return;
    log.active = Number(row.dataset.number);
    openDetails({ number: log.active });
  });
  on("log-newest", "click", () => {
    logScroll.scrollTop = 0;
    focusRow(0);
    scheduleLog();
  });
  new ResizeObserver(scheduleLog).observe(logScroll);
}

byId("address").textContent = location.origin;
byId("point-here").textContent = [
  `export WORKSPACE_APPS_BASE_URL=${location.origin}`,
  "export WORKSPACE_APPS_ACCESS_TOKEN=…  # a token that the simulator accepts",
  "pulumi up",
].join("\n");
listen();
drawObjects();
setInterval(tick, 1000);
/** Spending grows with the clock, without an event. */
setInterval(() => {
  if (state.spending.size > 0 && !document.hidden) refresh.objects();
}, 10_000);
connect();
