import { existsSync, renameSync } from "node:fs";
import { Agent, get, request } from "node:http";
import { settle } from "@porchlight/shared/kernel";
import { type SocketEvents, TUNNEL_PATH, TUNNEL_SUBPROTOCOL } from "@porchlight/shared/tunnel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { Judge } from "../../test/parts/judge.ts";
import { type Home, TestCloud } from "./app.fixture.ts";
import { ScriptedHub } from "./tunnels/tunnels.fixture.ts";

let cloud: TestCloud;
let home: Home;
beforeEach(async () => {
  cloud = await TestCloud.start();
  home = await cloud.home();
});
afterEach(() => cloud[Symbol.asyncDispose]());

async function clientToken(environmentId = home.environmentId) {
  const { token } = home;
  const client = await cloud.good("POST", "/api/clients", { token, body: { environmentId } });
  const made = await cloud.good("POST", `/api/clients/${client.id}/tokens`, { token });
  return { clientId: client.id, token: made.token, path: `/api/clients/${client.id}/tokens/${made.id}` };
}

describe("a hub's way in", () => {
  const dial = (url: string, token: string) =>
    new WebSocket(url.replace("http", "ws"), TUNNEL_SUBPROTOCOL, { headers: { authorization: `Bearer ${token}` } });
  const first = <T>(socket: WebSocket, name: string) =>
    new Promise<T>((resolve, reject) => {
      socket.once(name, resolve);
      socket.once("error", reject);
    });

  it("is a WebSocket on the same port, with and without the version, in which the cloud speaks first", async () => {
    const url = await cloud.app.listen();
    const { token } = await clientToken();
    for (const path of [TUNNEL_PATH, `/v0${TUNNEL_PATH}`]) {
      const socket = dial(url + path, token);
      expect(JSON.parse(String(await first(socket, "message")))).toMatchObject({ method: "challenge" });
      socket.terminate();
    }
  });

  it("is refused before the upgrade in the form of every error", async () => {
    const url = await cloud.app.listen();
    for (const [token, status, title] of [
      ["nonsense", 401, "Token Invalid"],
      [home.token, 403, "Token Type Not Allowed"],
    ] as const) {
      const headers = {
        ...{ connection: "Upgrade", upgrade: "websocket", authorization: token },
        ...{ "sec-websocket-version": "13", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" },
      };
      const answer = await new Promise<{ status: number | undefined; type: string | undefined; text: string }>(
        (resolve, reject) => {
          const asking = request(url + TUNNEL_PATH, { headers }, async (response) => {
            const text = (await response.toArray()).join("");
            resolve({ status: response.statusCode, type: response.headers["content-type"], text });
          });
          asking.once("error", reject).end();
        },
      );
      expect(answer).toMatchObject({ status, type: "application/problem+json" });
      expect(JSON.parse(answer.text)).toMatchObject({ title, status });
    }
  });

  it("does not stand in the way of a client that offers another protocol", async () => {
    const url = await cloud.app.listen();
    const headers = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAAQAAP__" };
    const status = await new Promise((resolve, reject) => {
      const asking = request(`${url}/healthz`, { headers }, (response) => resolve(response.resume().statusCode));
      asking.once("error", reject).end();
    });
    expect(status).toBe(200);
  });

  it("closes when its token is revoked, and when the client, its environment or its ecosystem is deleted", async () => {
    const second = await cloud.good("POST", "/api/ecosystems", { token: home.token, body: {} });
    const body = { ecosystemId: second.id };
    const { id: environmentId } = await cloud.good("POST", "/api/environments", { token: home.token, body });
    const inEnvironment = await cloud.good("POST", "/api/environments", { token: home.token, body });
    const ends: Readonly<Record<string, [path: (clientId: string, path: string) => string, environmentId: string]>> = {
      token: [(_clientId, path) => path, home.environmentId],
      client: [(clientId) => `/api/clients/${clientId}`, home.environmentId],
      environment: [() => `/api/environments/${inEnvironment.id}`, inEnvironment.id],
      ecosystem: [() => `/api/ecosystems/${second.id}`, environmentId],
    };
    for (const [end, [deleted, place]] of Object.entries(ends)) {
      const { clientId, token, path } = await clientToken(place);
      const principal = await cloud.app.authenticateClient(token);
      let events: SocketEvents | undefined;
      let code: number | undefined;
      cloud.app.acceptTunnel(
        {
          listen: (listening) => {
            events = listening;
          },
          send: (_text, sent) => sent(),
          pause: () => undefined,
          resume: () => undefined,
          close: (with_) => {
            code = with_;
            events?.closed(with_);
          },
        },
        principal,
        { host: "x", tokenDigest: "", address: "" },
      );
      await settle();
      expect(code).toBeUndefined();
      await cloud.good("DELETE", deleted(clientId, path), { token: home.token });
      await settle();
      expect(code, end).toBeGreaterThan(1000);
    }
  });
});

describe("a cloud that stops", () => {
  it("lets what is under way end, and takes in no more", async () => {
    const url = await cloud.app.listen();
    const body = '{"key":"slow"}';
    const asking = request(`${url}/api/users`, {
      method: "POST",
      headers: {
        authorization: home.token,
        "content-type": "application/json",
        "content-length": String(body.length),
      },
    });
    const answered = new Promise<number | undefined>((resolve, reject) => {
      asking.once("response", (response) => resolve(response.resume().statusCode)).once("error", reject);
    });
    asking.write(body.slice(0, 5));
    expect((await new Judge(url).fetch(`${url}/readyz`)).status).toBe(200);
    const drained = cloud.app.drain();
    asking.end(body.slice(5));
    expect(await answered).toBe(201);
    await drained;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  /** On a connection that is kept alive between requests: as one client after another would on a connection of its own. */
  const keptAlive = (url: string) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    return (path: string) =>
      new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
        get(url + path, { agent }, (response) => {
          response.resume().once("end", () => {
            resolve({ status: response.statusCode, connection: response.headers.connection });
          });
        }).once("error", reject);
      });
  };

  it("answers once more on a connection that is kept alive while its hubs leave, and takes no new one", async () => {
    const url = await cloud.app.listen();
    const { token } = await clientToken();
    const host = { clock: cloud.clock, accept: cloud.app.acceptTunnel.bind(cloud.app) };
    const hub = await ScriptedHub.connect(host, await cloud.app.authenticateClient(token), { token });
    const [idle, other] = [keptAlive(url), keptAlive(url)];
    expect(await idle("/healthz")).toEqual({ status: 200, connection: "keep-alive" });
    const drained = cloud.app.drain();
    await settle();
    expect(hub.notified.at(-1)?.method).toBe("goaway");
    expect(await idle("/healthz")).toEqual({ status: 200, connection: "close" });
    await expect(idle("/healthz")).rejects.toThrow("ECONNREFUSED");
    await expect(other("/healthz")).rejects.toThrow("ECONNREFUSED");
    await cloud.clock.advance(5_000);
    await drained;
    expect(hub.down).toBe("restart");
  });

  it("where there are other nodes is not ready at first, and goes on answering until balancers have seen it", async () => {
    const url = await cloud.app.listen();
    const at = cloud.clock.now();
    await cloud.change((build) =>
      build.insertInto("nodes").values({ id: "node_2", lease: 1, lease_until: at, started_at: at }),
    );
    const othersLater = async () => {
      await cloud.clock.advance(1_000);
      return cloud.app.otherNodes;
    };
    await expect.poll(othersLater).toBe(1);
    const drained = cloud.app.drain();
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    const request = keptAlive(url);
    expect(await request("/healthz")).toEqual({ status: 200, connection: "close" });
    await cloud.clock.advance(4_999);
    expect(await request("/healthz")).toEqual({ status: 200, connection: "close" });
    await cloud.clock.advance(1);
    await expect(request("/healthz")).rejects.toThrow("ECONNREFUSED");
    await drained;
  });
});

describe("a cloud that is killed", () => {
  it("writes nothing more, and comes back with all that it had answered for", async () => {
    const body = { key: "answered" };
    await cloud.good("POST", "/api/users", { token: home.token, body });
    const written = async () => {
      const rows = await cloud.rows((build) => build.selectFrom("users").select("key").orderBy("id"));
      return rows.map(({ key }) => key);
    };
    await cloud.app.kill();
    expect(await written()).toEqual([home.id, "answered"]);
    await using again = await cloud.restart();
    const { items } = await again.good("GET", "/api/users", { token: home.token });
    expect(items.map(({ key }: { key: string }) => key)).toEqual([home.id, "answered"]);
  });
});

describe("an installation", () => {
  it("does not start with another key file than the database's own, and states that reason", async () => {
    await cloud.app[Symbol.asyncDispose]();
    renameSync(`${cloud.folder}/secret.key`, `${cloud.folder}/right.key`);
    await expect(cloud.restart()).rejects.toThrow(/the key file does not contain it/);
    renameSync(`${cloud.folder}/right.key`, `${cloud.folder}/secret.key`);
    await using again = await cloud.restart();
    expect((await again.call("GET", "/readyz")).status).toBe(200);
  });

  it("keeps its keys: a server's token is read by the next process too", async () => {
    const server = await cloud.serverToken(home);
    await cloud.app[Symbol.asyncDispose]();
    expect(existsSync(`${cloud.folder}/secret.key`)).toBe(true);
    await using again = await cloud.restart();
    const servers = await again.good("GET", "/api/servers", { token: home.token });
    const { items } = await again.good("GET", `/api/servers/${servers.items[0].id}/tokens`, { token: home.token });
    expect(items[0].token).toBe(server);
    expect((await again.call("GET", "/api/users", { token: server })).status).toBe(200);
  });
});
