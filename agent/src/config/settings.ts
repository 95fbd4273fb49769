/** The settings of `porchlight-agent run`: one schema for file, environment and flags. */
import { isEdgeId } from "@porchlight/shared/model";
import { Secret } from "@porchlight/shared/settings";
import { z } from "zod";

const ms = z.int().min(1);
/** Baud rate of a serial line that names none. */
const DEFAULT_BAUD = 115_200;

/** `PATH[@BAUD]`. */
const serialLine = z.string().transform((text, context) => {
  const [, path = "", baud] = /^(.+?)(?:@([1-9]\d{2,7}))?$/.exec(text) ?? [];
  if (path === "" || path.includes("@")) context.addIssue("must be PATH or PATH@BAUD");
  return { path, baudRate: baud === undefined ? DEFAULT_BAUD : Number(baud) };
});

const edgeId = z.string().refine(isEdgeId, "must be an EUI-48 or EUI-64 such as 02-1B-44-11-3A-B7");

/** `EDGEID=KEY`, the key in hex. */
const lanKey = z.string().transform((text, context) => {
  const [, node = "", hex = ""] = /^([0-9A-F-]+)=((?:[0-9a-f]{2}){16,64})$/i.exec(text) ?? [];
  if (!isEdgeId(node)) context.addIssue("must be EDGEID=KEY, the key 16 to 64 bytes in hex");
  return { node, key: new Secret(hex) };
});

/** A password in the address would be sent to nobody, and stand in the status, in the log and in the list of processes. */
function isWithoutUser(address: string): boolean {
  const { username, password } = URL.parse(address) ?? { username: "", password: "" };
  return username === "" && password === "";
}

export const agentSettings = z.object({
  /** Base address of the service. */
  cloud: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .refine(isWithoutUser, "must be an address without a user name or password: the hub has a token of its own"),
  /** Folder of everything that the agent keeps. */
  data: z.string().min(1),
  /** Serial lines with devices. */
  serial: z.array(serialLine).default([]),
  /** Address or name of the network interface on which devices are looked for; none when left out. */
  lan: z.string().min(1).optional(),
  /** edgeIds of the network nodes that the hub speaks to, or `all`. */
  "lan.admit": z.union([z.literal("all"), z.array(edgeId).max(1000)]).default([]),
  /** Keys of network nodes that want TLS; by file or variable only. */
  "lan.keys": z.array(lanKey).max(1000).default([]),
  /** File with the client token; the data folder's own `token` when left out. */
  tokenFile: z.string().min(1).optional(),
  /** PEM file of a CA that is trusted besides the usual ones. */
  ca: z.string().min(1).optional(),
  /** The hub's edgeId, at the first start only. */
  edgeId: edgeId.optional(),
  /** Most bytes of records that wait for the cloud. */
  outboxBytes: z
    .int()
    .min(64 * 1024)
    .default(32 * 1024 * 1024),
  /** Room on the disk that is kept for commands, bytes; 0 keeps none. */
  reserveBytes: z
    .int()
    .min(0)
    .default(4 * 1024 * 1024),
  /** Most bytes of the agent's own log files; 0 writes none. */
  logBytes: z
    .int()
    .min(0)
    .default(2 * 1024 * 1024),
  /** Port on which the API at home is served; none when left out. */
  apiPort: z.int().min(0).max(65_535).optional(),
  /** Address to listen on for it; what is no loopback address lets the whole network in, without TLS. */
  apiHost: z.string().min(1).default("127.0.0.1"),
  /** Port of 127.0.0.1 on which `/metrics` is served; none when left out. */
  metricsPort: z.int().min(0).max(65_535).optional(),
  /** Bounds of the first and of every wait before connecting again, and how long a link must last to be forgiven, ms. */
  backoffFirstMs: ms.default(1000),
  backoffCapMs: ms.default(60_000),
  backoffStableMs: ms.default(60_000),
  /** First and longest wait when another agent has taken over, ms. */
  supersededFirstMs: ms.default(60_000),
  supersededCapMs: ms.default(900_000),
  /** Wait when the token or key is not accepted, ms. */
  rejectedMs: ms.default(300_000),
  /** Longest wait for a socket, and then for the cloud's welcome, ms. */
  handshakeMs: ms.default(10_000),
  logLevel: z.enum(["debug", "info", "warn", "error"]).default("info"),
});

export type AgentSettings = z.output<typeof agentSettings>;
