/** Every hello against everything that can be stored of its client. */
import { expect, it } from "vitest";
import { decideHello, type HelloClaims, type StoredClient } from "./open-tunnel.ts";

const hello: HelloClaims = {
  edgeId: "02-00-00-00-00-01",
  publicKey: "key",
  logId: "log-1",
  lastNumber: 20,
  acknowledged: 10,
  inventoryDigest: "d1",
};
const fresh: StoredClient = {
  publicKey: null,
  edgeId: null,
  epoch: 0,
  logId: null,
  position: 0,
  inventoryDigest: null,
};
const bound: StoredClient = {
  publicKey: "key",
  edgeId: hello.edgeId,
  epoch: 4,
  logId: "log-1",
  position: 10,
  inventoryDigest: "d1",
};

it.each([
  ["a client that is gone is refused", undefined, hello, { kind: "refused", reason: "token_revoked" }],
  [
    "the first hello binds, begins the history and is asked for everything",
    fresh,
    hello,
    { kind: "open", epoch: 1, newLog: true, position: 0, resync: true, inventory: true },
  ],
  [
    "a reconnect goes on where it was",
    bound,
    hello,
    { kind: "open", epoch: 5, newLog: false, position: 10, resync: false, inventory: false },
  ],
  ["another key is refused", bound, { ...hello, publicKey: "other" }, { kind: "refused", reason: "wrong_key" }],
  ["another edgeId is refused", bound, { ...hello, edgeId: "x" }, { kind: "refused", reason: "wrong_edge" }],
  ["a paired client has its key and no edgeId yet", { ...fresh, publicKey: "key" }, hello, { kind: "open", epoch: 1 }],
  [
    "an acknowledgement that the hub did not hear costs nothing",
    { ...bound, position: 15 },
    hello,
    { kind: "open", position: 15, resync: false },
  ],
  [
    "a cloud behind what the hub had acknowledged asks for all values",
    { ...bound, position: 3 },
    hello,
    { kind: "open", newLog: false, position: 3, resync: true },
  ],
  [
    "another log begins at 0",
    bound,
    { ...hello, logId: "log-2" },
    { kind: "open", newLog: true, position: 0, resync: true },
  ],
  [
    "a log that has gone back behind what is stored of it is another one",
    { ...bound, position: 21 },
    hello,
    { kind: "open", newLog: true, position: 0, resync: true },
  ],
  ["another inventory is asked for", bound, { ...hello, inventoryDigest: "d2" }, { kind: "open", inventory: true }],
] as const)("%s", (_sentence, stored, given, expected) => {
  expect(decideHello(stored, given)).toMatchObject(expected);
});
