/** `porchlight-cloud health`: asks the service that runs on this machine whether it takes requests. For containers, which have no other program. */

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

/** As long as `/readyz` may take, with time to spare, ms. */
const ANSWER_MS = 4000;
const LONGEST_ANSWER = 16 * 1024;
/** Addresses that stand for all of a machine's. */
const ANY = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

const ready = z.object({ status: z.literal("ready"), warning: z.string().optional() });
const problem = z.object({ title: z.string(), detail: z.string().optional() });

/** Prints that it is ready, with what must be mended. @throws CommandRefused saying why it is not */
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
        : // Its certificate is for the name that others know it by.
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

// What a command of the program cannot do, as it is told to a person: in a separate file, because every command may use it.

/** What the command was told cannot be done; the message says why. */
export class CommandRefused extends Error {}

/** Where the database is, for commands about a service that has run. @throws CommandRefused */
export function existingDatabase(settings: CloudSettings): string {
  const location = databaseOf(settings);
  if (!location.includes("://") && !existsSync(location))
    throw new CommandRefused(`There is no database at ${location}: say where it is with --data or --database.`);
  return location;
}

/** `porchlight-cloud key`: a new sealing key, what the keys have sealed, and the end of an old one. */
interface KeyCommandDeps {
  readonly settings: CloudSettings;
  readonly clock: Clock;
  readonly random: Random;
  readonly print: (line: string) => void;
}

/** Puts a new key before the others; services that run on the file seal with it soon. @throws CommandRefused, KeyMismatch, KeyFileBroken, SystemError */
export async function rotateKey(deps: KeyCommandDeps): Promise<void> {
  await using store = await open(deps);
  const path = secretFileOf(deps.settings);
  await keys(deps, store);
  const id = addKey(path, deps.random);
  // From now on no service starts without it.
  await checkSealingKeys(store, openKeyring(path, deps.random));
  deps.print(`${id} is the first key of ${path}; a running service seals with it within 70 seconds,`);
  deps.print(
    "then re-encrypts in the background what the other keys have sealed; a stopped service does so after its start",
  );
  deps.print("every node and every backup needs this file now");
}

/** Prints, tab-separated, each key and how many texts in the database it has sealed. @throws as {@link rotateKey} */
export async function listKeys(deps: KeyCommandDeps): Promise<void> {
  await using store = await open(deps);
  const keyring = await keys(deps, store);
  const counts = await countSealed({ store, columns: SEALED_COLUMNS });
  deps.print(["key", "use", "sealed"].join("\t"));
  for (const id of keyring.fingerprints.keys())
    deps.print([id, id === keyring.sealingId ? "seals" : "opens", counts.get(id) ?? 0].join("\t"));
}

/** Takes an old key away for good, once nothing in the database needs it. @throws as {@link rotateKey} */
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
  // In this order: a database that asks for a lost key would keep every service from starting.
  await forgetSealingKey(store, id);
  dropKey(secretFileOf(deps.settings), id);
  deps.print(`${id} is removed from the database and from the file; older backups still need it`);
}

async function open({ settings, clock, random }: KeyCommandDeps): Promise<Store> {
  return Store.open({ location: existingDatabase(settings), clock, ids: new IdMaker(clock, random), patient: true });
}

/** Those of the file, if they are the database's. @throws CommandRefused, KeyMismatch, KeyFileBroken */
async function keys({ settings, random }: KeyCommandDeps, store: Store): Promise<Keyring> {
  const path = secretFileOf(settings);
  if (!existsSync(path))
    throw new CommandRefused(`There are no keys at ${path}: say where they are with --secret-file.`);
  const keyring = openKeyring(path, random);
  await checkSealingKeys(store, keyring);
  return keyring;
}
