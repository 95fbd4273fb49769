/** This module's queries outside ecosystems: a pairing or a log-in by code has no owner until it is approved, and is found by its codes. */
import { type CodeLogInRow, one, type PairingRow, type Store, statement } from "../store/index.ts";

export const pairingByDevice = statement<{ hash: string }>("pairing_by_device_code")((db, p) =>
  db.selectFrom("pairings").selectAll().where("device_hash", "=", p.hash),
);
const pairingByUser = statement<{ hash: string }>("pairing_by_user_code")((db, p) =>
  db.selectFrom("pairings").selectAll().where("user_hash", "=", p.hash),
);
const accountOf = statement<{ eco: string }>("account_of_pairing_caller")((db, p) =>
  db.selectFrom("ecosystems").select("account_id").where("id", "=", p.eco),
);

export const logInByDevice = statement<{ hash: string }>("log_in_by_device_code")((db, p) =>
  db.selectFrom("code_log_ins").selectAll().where("device_hash", "=", p.hash),
);
const logInByUser = statement<{ hash: string }>("log_in_by_user_code")((db, p) =>
  db.selectFrom("code_log_ins").selectAll().where("user_hash", "=", p.hash),
);

/** @param hash of the code that the hub polls with */
export function findByDeviceCode(store: Store, hash: string): Promise<PairingRow | undefined> {
  return one(store.service.all(pairingByDevice, { hash }));
}

/** @param hash of the code that the hub displays */
export function findByUserCode(store: Store, hash: string): Promise<PairingRow | undefined> {
  return one(store.service.all(pairingByUser, { hash }));
}

/** The ecosystem's account. */
export async function accountOfEcosystem(store: Store, eco: string): Promise<string> {
  return (await one(store.service.all(accountOf, { eco })))?.account_id ?? "";
}

/** @param hash of the code that the program polls with */
export function findLogInByDeviceCode(store: Store, hash: string): Promise<CodeLogInRow | undefined> {
  return one(store.service.all(logInByDevice, { hash }));
}

/** @param hash of the code that the program displays */
export function findLogInByUserCode(store: Store, hash: string): Promise<CodeLogInRow | undefined> {
  return one(store.service.all(logInByUser, { hash }));
}
