/** `porchlight-cloud health`: asks the service on this machine whether it is ready. For containers, which have no other program. */

import { existsSync } from "node:fs";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { type Clock, IdMaker, type Random } from "@porchlight/shared/kernel";
import { z } from "zod";
import {
  addKey,
  checkSealingKeys,
  countSealed,
  dropKey,
  forgetSealingKey,
  type Keyring,
  openKeyring,
} from "../access/index.ts";
import { SEALED_COLUMNS } from "../composition.ts";
import { type CloudSettings, databaseOf, secretFileOf } from "../config/index.ts";
import { Store } from "../store/index.ts";

/** The longest answer of `/readyz`, with a margin, ms. */
const ANSWER_MS = 4000;
const LONGEST_ANSWER = 16 * 1024;
/** Addresses that mean all of a machine's. */
const ANY = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

const ready = z.object({ status: z.literal("ready"), warning: z.string().optional() });
const problem = z.object({ title: z.string(), detail: z.string().optional() });

/** Prints that the service is ready, with its warnings. @throws CommandRefused with the reason why it is not ready */
export async function askHealth(
  settings: Pick<CloudSettings, "host" | "port" | "tlsCert">,
  print: (line: string) => void,
): Promise<void> {
  if (settings.port === 0)
    throw new CommandRefused("With port 0 the service listens on any free port. Give its current port with --port.");
  const { status, body } = await ask(settings);
  const { data } = ready.safeParse(body);
  if (status === 200 && data) return print(data.warning === undefined ? "ready" : `ready, but: ${data.warning}`);
  const { data: told } = problem.safeParse(body);
  throw new CommandRefused(`The service is not ready: ${told?.detail ?? told?.title ?? `it answered ${status}`}`);
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

function ask({ host, port, tlsCert }: Pick<CloudSettings, "host" | "port" | "tlsCert">): Promise<Answer> {
  const options = { host: ANY.get(host) ?? host, port, path: "/readyz", agent: false, timeout: ANSWER_MS };
  return new Promise((resolve, reject) => {
    const failed = (failure: Error) => reject(new CommandRefused(`The service does not answer: ${failure.message}`));
    const answered = (message: IncomingMessage) => read(message).then(resolve, failed);
    const request =
      tlsCert === undefined
        ? httpRequest(options, answered)
        : // The certificate is for the service's public name.
          httpsRequest({ ...options, rejectUnauthorized: false }, answered);
    request.once("timeout", () => request.destroy(new Error(`nothing came for ${ANSWER_MS / 1000} s`)));
    request.once("error", failed);
    request.end();
  });
}

async function read(message: IncomingMessage): Promise<Answer> {
  let text = "";
  message.setEncoding("utf8");
  for await (const chunk of message) {
    text += chunk;
    if (text.length > LONGEST_ANSWER) throw new Error("its answer has no end");
  }
  return { status: message.statusCode ?? 0, body: parsed(text) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The command cannot be executed; the message has the reason. */
export class CommandRefused extends Error {}

/** The location of the database, for commands about a service that has run. @throws CommandRefused */
export function existingDatabase(settings: CloudSettings): string {
  const location = databaseOf(settings);
  if (!location.includes("://") && !existsSync(location))
    throw new CommandRefused(`There is no database at ${location}: say where it is with --data or --database.`);
  return location;
}

/** `porchlight-cloud key`: adds a sealing key, lists the uses of all keys, and removes an old one. */
interface KeyCommandDeps {
  readonly settings: CloudSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly print: (line: string) => void;
}

/** Adds a new key before the others; running services soon seal with it. @throws CommandRefused, KeyMismatch, KeyFileBroken, SystemError */
export async function rotateKey(deps: KeyCommandDeps): Promise<void> {
  await using store = await open(deps);
  const path = secretFileOf(deps.settings);
  await keys(deps, store);
  const id = addKey(path, deps.random);
  // From now on no service starts without the new key.
  await checkSealingKeys(store, openKeyring(path, deps.random));
  deps.print(`${id} is the first key of ${path}; a running service seals with it within 70 seconds,`);
  deps.print(
    "then re-encrypts in the background what the other keys have sealed; a stopped service does so after its start",
  );
  deps.print("every node and every backup needs this file now");
}

/** Prints, tab-separated, each key and the number of texts in the database that it seals. @throws as {@link rotateKey} */
export async function listKeys(deps: KeyCommandDeps): Promise<void> {
  await using store = await open(deps);
  const keyring = await keys(deps, store);
  const counts = await countSealed({ store, columns: SEALED_COLUMNS });
  deps.print(["key", "use", "sealed"].join("\t"));
  for (const id of keyring.fingerprints.keys())
    deps.print([id, id === keyring.sealingId ? "seals" : "opens", counts.get(id) ?? 0].join("\t"));
}

/** Removes an old key permanently, if nothing in the database needs it. @throws as {@link rotateKey} */
export async function removeKey(deps: KeyCommandDeps, id: string): Promise<void> {
  await using store = await open(deps);
  const keyring = await keys(deps, store);
  if (!keyring.fingerprints.has(id)) throw new CommandRefused(`There is no key ${id}: \`key list\` shows them.`);
  if (id === keyring.sealingId) throw new CommandRefused(`The key ${id} is the one that seals: rotate first.`);
  const count = (await countSealed({ store, columns: SEALED_COLUMNS })).get(id) ?? 0;
  if (count > 0)
    throw new CommandRefused(
      `The key ${id} has sealed ${count} texts that are still here: a running service seals them anew.`,
    );
  // In this order, because a database that requires a missing key would prevent every service from starting.
  await forgetSealingKey(store, id);
  dropKey(secretFileOf(deps.settings), id);
  deps.print(`${id} is removed from the database and from the file; older backups still need it`);
}

async function open({ settings, clock, random }: KeyCommandDeps): Promise<Store> {
  return Store.open({ location: existingDatabase(settings), clock, ids: new IdMaker(clock, random), patient: true });
}

/** The keys of the file, if they match the database. @throws CommandRefused, KeyMismatch, KeyFileBroken */
async function keys({ settings, random }: KeyCommandDeps, store: Store): Promise<Keyring> {
  const path = secretFileOf(settings);
  if (!existsSync(path))
    throw new CommandRefused(`There are no keys at ${path}: say where they are with --secret-file.`);
  const keyring = openKeyring(path, random);
  await checkSealingKeys(store, keyring);
  return keyring;
}
