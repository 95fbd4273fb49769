/** `porchlight-cloud key`: a new sealing key, what the keys have sealed, and the end of an old one. */
import { existsSync } from "node:fs";
import { type Clock, IdMaker, type Random } from "@porchlight/shared/kernel";
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
import { type CloudSettings, secretFileOf } from "../config/index.ts";
import { Store } from "../store/index.ts";
import { CommandRefused, existingDatabase } from "./refusal.ts";

export interface KeyCommandDeps {
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
