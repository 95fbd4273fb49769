/** `porchlight-cloud key`: adds a sealing key, lists the uses of all keys, and removes an old one. */
import { existsSync } from "node:fs";
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
import { secretFileOf } from "../config/index.ts";
import type { Store } from "../store/index.ts";
import { type CommandDeps, CommandRefused, openExisting } from "./command.ts";

/** Adds a new key before the others; running services soon seal with it. @throws CommandRefused, KeyMismatch, KeyFileBroken, SystemError */
export async function rotateKey(deps: CommandDeps): Promise<void> {
  await using store = await openExisting(deps);
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
export async function listKeys(deps: CommandDeps): Promise<void> {
  await using store = await openExisting(deps);
  const keyring = await keys(deps, store);
  const counts = await countSealed({ store, columns: SEALED_COLUMNS });
  deps.print(["key", "use", "sealed"].join("\t"));
  for (const id of keyring.fingerprints.keys())
    deps.print([id, id === keyring.sealingId ? "seals" : "opens", counts.get(id) ?? 0].join("\t"));
}

/** Removes an old key permanently, if nothing in the database needs it. @throws as {@link rotateKey} */
export async function removeKey(deps: CommandDeps, id: string): Promise<void> {
  await using store = await openExisting(deps);
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

/** The keys of the file, if they match the database. @throws CommandRefused, KeyMismatch, KeyFileBroken */
async function keys({ settings, random }: CommandDeps, store: Store): Promise<Keyring> {
  const path = secretFileOf(settings);
  if (!existsSync(path))
    throw new CommandRefused(`There are no keys at ${path}: say where they are with --secret-file.`);
  const keyring = openKeyring(path, random);
  await checkSealingKeys(store, keyring);
  return keyring;
}
