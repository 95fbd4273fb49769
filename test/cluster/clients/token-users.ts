/** A client that uses a token everywhere until it is revoked, and all the same afterwards: revoked means dead at every node. */
import type { RevokedToken } from "../history/history.ts";
import type { Load } from "./load.ts";

/** How long a token is used before and after it is revoked, ms. */
const BEFORE_MS = 1500;
const AFTER_MS = 9000;

/** One token after another, of one user. */
export async function tokenUser(load: Load, userId: string): Promise<void> {
  while (!load.isOver) await oneToken(load, userId);
}

/** A user with access to the home. @throws TypeError when the service does not make one */
export async function makeUser(load: Load, key: string): Promise<string> {
  const { api, environmentId, ecosystemId } = load.home;
  const { id } = await api.good<{ id: string }>("POST", "/api/users", { key, ecosystemId });
  await api.good("POST", `/api/users/${id}/access`, { environmentId });
  return id;
}

async function oneToken(load: Load, userId: string): Promise<void> {
  const { clock } = load;
  const made = await load.ask(load.where(), "POST", `/api/users/${userId}/tokens`, {});
  if (made?.status !== 201) return load.pause(200, 500);
  const { id, token }: { id: string; token: string } = made.body;
  const path = `/api/users/${userId}/tokens/${id}`;
  const use = async (): Promise<{ node: string; begin: number; status: number } | undefined> => {
    const where = load.where();
    const begin = clock.monotonic();
    const reply = await load.ask(where, "GET", "/api/token", { token, waitMs: 1000 });
    await load.pause(20, 120);
    return reply && { node: where.node, begin, status: reply.status };
  };
  for (const until = clock.monotonic() + BEFORE_MS; clock.monotonic() < until && !load.isOver; ) await use();
  let revoked = false;
  // A break may have taken the answer along, and the token with it: then it is not found any more.
  while (!revoked && !load.isOver) {
    const reply = await load.ask(load.where(), "DELETE", path, { waitMs: 2000 });
    revoked = reply?.status === 200 || reply?.status === 404;
    if (!revoked) await load.pause(100, 300);
  }
  if (!revoked) return;
  const dead: RevokedToken = { revokedAt: clock.monotonic(), uses: [] };
  load.history.tokens.push(dead);
  for (const until = clock.monotonic() + AFTER_MS; clock.monotonic() < until && !load.isOver; ) {
    const used = await use();
    if (used) dead.uses.push(used);
  }
}
