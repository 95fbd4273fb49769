/** Mutants of the agent's driver that break section 4: messages, descriptions, and valid frames with invalid content. */
import type { HubMutant } from "./mutant.ts";

const WIRE = "shared/src/wire";
const DRIVER = "drivers/porchlight/src";
const MESSAGES = `${WIRE}/messages.ts`;
const DESCRIBED = `${WIRE}/description.ts`;
const FIELDS = `${WIRE}/fields.ts`;
const LIMITS = `${WIRE}/limits.ts`;
const SESSION = `${DRIVER}/session.ts`;
const READABLE = `${DRIVER}/device/described-device.ts`;
const DESCRIBE = `${DRIVER}/device/describe.ts`;
const LINE = `${DRIVER}/line/line.ts`;
const KNOWN = "HELLO_ACK";
const BODY = "  return encodeCbor(items);";
const IS_READ = 'if (found && allows(found.description, "read")) readable.push(found);';
const FOUND = "const found = this.find(service, index, property);";
const TOTAL = "    total = message.parts;";
const UNKNOWN_TYPE = '    case "unknown_type":\n      return {';
const NO_MESSAGE = 'if (!mayCome(body.type, "node") || !isRequest(body.type)) return IGNORE;';
const DAMAGED = '    if (body.kind === "damage") {\n';

export const HUB_MESSAGE_MUTANTS: readonly HubMutant[] = [
  ["M1", "sends its seq as a text", MESSAGES, ["[layout.type, message.seq];", "[layout.type, String(message.seq)];"]],
  ["M1", "sends every message in an array of its own", MESSAGES, [BODY, "  return encodeCbor([items]);"]],
  [
    "M2",
    "counts its seqs up by two",
    `${DRIVER}/exchange/seqs.ts`,
    ["return nextSeq(this.#last);", "return nextSeq(nextSeq(this.#last));"],
  ],
  [
    "M2",
    "answers PING under another seq",
    SESSION,
    [
      'this.#line.send({ type: "PONG", seq: message.seq });',
      'this.#line.send({ type: "PONG", seq: message.seq & 0xff });',
    ],
  ],
  [
    "M2",
    "acknowledges HELLO under another seq",
    SESSION,
    ['type: "HELLO_ACK", seq: effect.seq, info', `type: "${KNOWN}", seq: (effect.seq + 1) & 0xffff, info`],
  ],
  [
    "M3",
    "calls a message with a further field malformed",
    MESSAGES,
    [
      '  return { kind: "message", message:',
      '  if (items.length > at) return { kind: "malformed", type: layout.name, seq };\n  return { kind: "message", message:',
    ],
  ],
  [
    "M3",
    "calls a HELLO with a further key malformed",
    FIELDS,
    ["  const texts: { mf?", '  if (own(info, "later") !== undefined) return undefined;\n  const texts: { mf?'],
  ],
  [
    "M4",
    "asks for no part of a description",
    MESSAGES,
    ["fields: { device: number, part: number } },", "fields: { device: number } },"],
  ],
  [
    "M4",
    "sends ERROR without a text",
    MESSAGES,
    ["if (item !== undefined) items.push", 'if (item !== undefined && name !== "text") items.push'],
  ],
  [
    "M5",
    "takes an edgeId in lower case",
    FIELDS,
    [
      'return typeof value === "string" && isEdgeId(value) ? value : undefined;\n}\n\nfunction isPlace',
      'return typeof value === "string" && isEdgeId(value.toUpperCase()) ? value : undefined;\n}\n\nfunction isPlace',
    ],
  ],
  [
    "M5",
    "takes any text for an edgeId",
    FIELDS,
    [
      'return typeof value === "string" && isEdgeId(value) ? value : undefined;\n}\n\nfunction isPlace',
      'return typeof value === "string" ? value : undefined;\n}\n\nfunction isPlace',
    ],
  ],
  [
    "M6",
    "refuses another version as malformed",
    `${DRIVER}/session-state.ts`,
    [
      'input.seq, ERROR_CODE.versionNotSupported, "version not supported");',
      'input.seq, ERROR_CODE.malformed, "version not supported");',
    ],
  ],
  ["M6", "takes a limit of 127 bytes", FIELDS, [" || max < MIN_FRAME_LIMIT || ", " || "]],
  ["M6", "takes a window of none", FIELDS, [" || win < 1) return", ") return"]],
  ["M8", "takes one request at once", LIMITS, ["export const HUB_WINDOW = 8;", "export const HUB_WINDOW = 1;"]],
  ["M8", "takes seven requests at once", LIMITS, ["export const HUB_WINDOW = 8;", "export const HUB_WINDOW = 7;"]],
  [
    "M9",
    "acknowledges the first HELLO of a boot only",
    `${DRIVER}/session-state.ts`,
    [
      'effects: [{ kind: "same_boot" }, acknowledge] };',
      'effects: [{ kind: "same_boot" }, { ...acknowledge, seq: known.helloSeq }] };',
    ],
  ],
  [
    "M9",
    "acknowledges every second HELLO",
    `${DRIVER}/session-state.ts`,
    [
      'effects: [{ kind: "same_boot" }, acknowledge] };',
      'effects: seq & 1 ? [] : [{ kind: "same_boot" }, acknowledge] };',
    ],
  ],
  [
    "M10",
    "sends a request again under a new seq",
    `${DRIVER}/exchange/exchanges.ts`,
    [
      "    this.#deps.counters.triedAgain += 1;",
      "    this.#deps.counters.triedAgain += 1;\n    exchange.frame = undefined;",
    ],
  ],
  [
    "M10",
    "sends no request again",
    `${DRIVER}/exchange/exchange-state.ts`,
    ["if (state.tries === TRIES || isForgotten) return", "if (state.tries > 0) return"],
  ],
  [
    "M11",
    "sends the time in milliseconds",
    SESSION,
    ["Math.floor(this.#deps.clock.now() / 1000)", "Math.floor(this.#deps.clock.now())"],
  ],
  [
    "M11",
    "sends the time in minutes",
    SESSION,
    ["Math.floor(this.#deps.clock.now() / 1000)", "Math.floor(this.#deps.clock.now() / 60_000)"],
  ],
  [
    "D1",
    "takes another index than is described",
    DESCRIBED,
    ["index: String(index), properties: [] };", "index: String(index + 1), properties: [] };"],
  ],
  [
    "D1",
    "takes the class of a service from another key",
    DESCRIBED,
    ['const service = wire && own(wire, "s");', 'const service = wire && own(wire, "c");'],
  ],
  ["D2", "reads what can only be written", READABLE, [IS_READ, "if (found) readable.push(found);"]],
  [
    "D2",
    "takes no property of type `number`",
    DESCRIBED,
    [
      "(one) => one === own(wire, PROPERTY_KEYS.type)",
      '(one) => one !== "number" && one === own(wire, PROPERTY_KEYS.type)',
    ],
  ],
  [
    "D3",
    "reads a button",
    READABLE,
    [IS_READ, 'if (found && (allows(found.description, "read") || property === "event")) readable.push(found);'],
  ],
  [
    "D3",
    "does not know a property by its name",
    DESCRIBED,
    ['typeof entry === "string" ? standardProperty(service, entry) :', 'typeof entry === "string" ? undefined :'],
  ],
  [
    "D4",
    "asks for the first part only",
    DESCRIBE,
    ["while (parts.length < Math.min(total, MAX_PARTS)) {", "while (parts.length < 1) {"],
  ],
  [
    "D4",
    "takes no service that continues in the next part",
    DESCRIBED,
    ["  if (known) return { open: known, entries };", '  if (known) return "twice";'],
  ],
  [
    "D5",
    "describes no device with a name outside ASCII",
    DESCRIBE,
    [
      TOTAL,
      `    if (/[^ -~]/.test(JSON.stringify(message.about ?? {}))) return { kind: "failed", reason: "its name" };\n${TOTAL}`,
    ],
  ],
  [
    "D5",
    "describes no device with a further key about it",
    DESCRIBE,
    [
      TOTAL,
      `    if (Object.hasOwn(message.about ?? {}, "later")) return { kind: "failed", reason: "a key" };\n${TOTAL}`,
    ],
  ],
  ["D6", "asks for 65 parts", LIMITS, ["export const MAX_PARTS = 64;", "export const MAX_PARTS = 65;"]],
  ["D6", "asks for 32 parts", LIMITS, ["export const MAX_PARTS = 64;", "export const MAX_PARTS = 32;"]],
  [
    "D7",
    "uses a property whose range is upside down",
    DESCRIBED,
    ["min > max ? undefined : limits;", "min > max ? limits : limits;"],
  ],
  [
    "D7",
    "uses a property whose allowed values are of another type",
    DESCRIBED,
    ["!hasType(description, item) || ", ""],
  ],
  ["D8", "takes Identify from a description", DESCRIBED, ['const HUBS_OWN = "Identify";', 'const HUBS_OWN = "None";']],
  [
    "D8",
    "reads Identify of every device",
    READABLE,
    [
      FOUND,
      'const own = service === "Identify" ? standardProperty("Identify", "active") : undefined;\n        const found = own ? { address: IDENTIFY, description: own } : this.find(service, index, property);',
    ],
  ],
  ["W1", "takes a seq beyond 65,535", MESSAGES, ["unsigned(items?.[1], 0xffff);", "unsigned(items?.[1]);"]],
  [
    "W1",
    "refuses what is no message",
    LINE,
    [
      DAMAGED,
      `${DAMAGED}      if (body.reason === "bad_message") this.send({ type: "ERROR", seq: 0, code: 2, text: "malformed" });\n`,
    ],
  ],
  [
    "W2",
    "ignores an unknown type",
    LINE,
    [UNKNOWN_TYPE, UNKNOWN_TYPE.replace("return {", "if (body.seq >= 0) return IGNORE;\n      return {")],
  ],
  ["W2", "calls an unknown type malformed", LINE, ["code: ERROR_CODE.unknownType,", "code: ERROR_CODE.malformed,"]],
  ["W3", "ignores what is malformed", LINE, [NO_MESSAGE, "return IGNORE;"]],
  ["W3", "calls malformed a bad value", LINE, ["code: ERROR_CODE.malformed, text", "code: 8, text"]],
  [
    "W4",
    "answers the echo of its own PING",
    LINE,
    [
      ' || (message.type === "PING" && isOwnPing(message.seq))',
      ' || (message.type === "PING" && isOwnPing(message.seq) && false)',
    ],
  ],
  [
    "W4",
    "refuses what only a hub may send",
    LINE,
    [
      "isOwnOrForbidden(body.message, isOwnPing) ? IGNORE : body;",
      '!isOwnOrForbidden(body.message, isOwnPing)\n        ? body\n        : { kind: "refuse", seq: body.message.seq, code: 1, text: "a hub\'s", counter: "unknownType" };',
    ],
  ],
  ["W5", "refuses malformed answers", LINE, [NO_MESSAGE, 'if (!mayCome(body.type, "node")) return IGNORE;']],
  [
    "W5",
    "takes any answer for the one to its seq",
    `${DRIVER}/exchange/exchange-state.ts`,
    ["  if (message.type === answer) {", '  if (message.type === answer || message.type !== "ERROR") {'],
  ],
];
