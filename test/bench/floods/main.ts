/**
 * A flood in a process of its own: `main.ts URL TOKENS_FILE`, then on stdin `start NAME` and `stop`; on stdout `sent COUNT` after each.
 * It runs at the lowest priority, so that what others feel is what the cloud spends on it, not what it takes of the machine.
 */
import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { setPriority } from "node:os";
import { createInterface } from "node:readline";
import { flood as floodAsHub } from "./hostile-hub.ts";
import { flood as floodOverHttp } from "./http-flood.ts";
import { ACCOUNT_FLOODS, ANONYMOUS_FLOODS, type HttpRequest, HUB_FLOODS } from "./kinds.ts";

const LOWEST = 19;

const [url = "", tokenFile = ""] = process.argv.slice(2);
/** Of a hub, and of an account. */
const [token = "", accountToken = ""] = readFileSync(tokenFile, "utf8").trim().split("\n");
const key = generateKeyPairSync("ed25519");
let under: AbortController | undefined;

setPriority(LOWEST);
process.stdout.write("ready\n");
createInterface({ input: process.stdin }).on("line", (line) => {
  const [command, ...words] = line.split(" ");
  if (command === "stop") under?.abort();
  if (command === "start") void run(words.join(" "));
});

async function run(name: string): Promise<void> {
  under = new AbortController();
  const message = HUB_FLOODS[name];
  const request = ANONYMOUS_FLOODS[name] ?? ofAccount(ACCOUNT_FLOODS[name]);
  if (!message && !request) throw new Error(`there is no flood of ${name}`);
  let count = 0;
  if (message) count = await floodAsHub({ url: url.replace("http", "ws"), token, key, message }, under.signal);
  if (request) count = await floodOverHttp(url, request, under.signal);
  process.stdout.write(`sent ${count}\n`);
}

function ofAccount(request: HttpRequest | undefined): (() => HttpRequest) | undefined {
  const headers = { authorization: `Bearer ${accountToken}` };
  return request && (() => ({ ...request, headers }));
}
