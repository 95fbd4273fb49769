/** The log-in of a browser, over real broadcast channels between its tabs. */
import { PorchlightError } from "@porchlight/sdk";
import type { SessionToken } from "@porchlight/shared/api";
import { expect, test } from "vitest";
import { Session, sessionFetch } from "./session.ts";

const NOON = Date.parse("2026-11-21T12:00:00Z");
const ENDED = new PorchlightError("Token Expired", "It has expired.", { status: 401 });

/** A service that gives token after token, each good for 15 minutes, until it must refuse. */
class Service {
  now = NOON;
  asked = 0;
  refusal: Error | undefined;

  readonly sessionToken = async (): Promise<SessionToken> => {
    this.asked++;
    if (this.refusal) throw this.refusal;
    const expiresAt = `${new Date(this.now + 900_000).toISOString().slice(0, 19).replace("T", " ")}Z`;
    return { token: `t${this.asked}`, expiresAt, accountId: "acc_1" };
  };

  session(): Session {
    return new Session(this, () => this.now);
  }
}
const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
};

test("a token is fetched once, however many ask, and anew a minute before it expires", async () => {
  const service = new Service();
  const session = service.session();
  expect(await Promise.all([session.token(), session.token()])).toEqual(["t1", "t1"]);
  service.now += 839_000;
  expect(await session.token()).toBe("t1");
  service.now += 2000;
  expect(await session.token()).toBe("t2");
  expect(session.state).toEqual({ kind: "in", accountId: "acc_1" });
});

test("no log-in is no failure, and the end of a log-in is marked as such", async () => {
  const service = new Service();
  service.refusal = ENDED;
  const loggedOut = service.session();
  expect(await loggedOut.token()).toBeUndefined();
  expect(loggedOut.state).toEqual({ kind: "out", ended: false });

  service.refusal = undefined;
  const loggedIn = service.session();
  await loggedIn.token();
  service.now += 900_000;
  service.refusal = ENDED;
  expect(await loggedIn.token()).toBeUndefined();
  expect(loggedIn.state).toEqual({ kind: "out", ended: true });
});

test("a service that cannot be reached has not ended the log-in", async () => {
  const service = new Service();
  const session = service.session();
  await session.token();
  service.now += 900_000;
  service.refusal = new PorchlightError("Connection Failed", "It could not be reached.");
  await expect(session.token()).rejects.toThrow("could not be reached");
  expect(session.state.kind).toBe("in");
});

test("a log-in and a log-out in one tab are those of all tabs", async () => {
  const service = new Service();
  const [one, other] = [service.session(), service.session()];
  await one.entered();
  await until(() => other.state.kind === "in");
  other.left();
  await until(() => one.state.kind === "out");
  expect([one.state, other.state]).toEqual([
    { kind: "out", ended: true },
    { kind: "out", ended: false },
  ]);
});

test("a request whose token is refused is sent once more with a new one, and the remaining limit is reported", async () => {
  const service = new Service();
  const session = service.session();
  const sent: (string | null)[] = [];
  const seen: unknown[] = [];
  const ask = sessionFetch(
    session,
    (limit) => seen.push(limit),
    async (_url, init) => {
      const header = new Headers(init.headers).get("authorization");
      sent.push(header);
      const headers = { ratelimit: '"default";r=399;t=1', "ratelimit-policy": '"default";q=400;w=2' };
      return new Response(null, { status: header === "Bearer t1" ? 401 : 200, headers });
    },
  );
  expect((await ask("/api/devices", { headers: { "x-api-version": "v0" } })).status).toBe(200);
  expect(sent).toEqual(["Bearer t1", "Bearer t2"]);
  expect(seen[0]).toEqual({ remaining: 399, resetS: 1, policy: '"default";q=400;w=2' });
});
