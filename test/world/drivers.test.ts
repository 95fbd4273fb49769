/** A person in front of the portal deals with the drivers of a hub: through the API, the tunnel, and what the hub keeps. */
import type { KeptForDrivers } from "@porchlight/agent/drivers/index.ts";
import { SetupFailed, type SetupTalk, type StatedDriver } from "@porchlight/driver-kit";
import { expect, it } from "vitest";
import type { WorldAnswer } from "./cloud.ts";
import { World } from "./world.ts";

const LOCK = "02-00-00-00-00-77";

/** Sees a lock that must be admitted by itself, and pairs a bridge by a code that it keeps. */
function bridges({ admissions, store }: KeptForDrivers): StatedDriver {
  const kept = store("bridges");
  const isAdmitted = () => admissions.isAdmitted(LOCK);
  return {
    name: "bridges",
    has: (edgeId) => edgeId === LOCK && isAdmitted(),
    read: () => Promise.reject(new Error("is not read")),
    write: () => Promise.reject(new Error("is not written")),
    found: () =>
      isAdmitted()
        ? []
        : [{ edgeId: LOCK, about: { name: "Front door" }, services: ["Lock"], admission: "awaiting_admission" }],
    setups: () => [{ kind: "bridge", title: "Pair a bridge" }],
    setup: async (_kind, talk: SetupTalk) => {
      const before = await kept.get("code");
      if (before) throw new SetupFailed(`It is paired already, by the code ${Buffer.from(before)}.`);
      const code = await talk.ask({ ask: "code", text: "Which code stands on the bridge?" });
      await kept.set("code", Buffer.from(code));
      talk.found({ name: "A bridge" });
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

class Portal {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  get hub(): string {
    return `/api/clients/${this.#world.clientId}`;
  }

  answered(answer: Promise<WorldAnswer | undefined>) {
    return this.#world.clock.until(answer);
  }

  /** The status with which it is answered. */
  async status(path: string, body?: object): Promise<number | undefined> {
    return (await this.answered(this.#world.putTo(this.hub + path, body)))?.status;
  }

  async found(): Promise<unknown[]> {
    const answer = await this.answered(this.#world.get(`${this.hub}/drivers`));
    return answer?.body.items.flatMap(({ found }: { found: unknown[] }) => found);
  }

  async paired(code: string) {
    const get = (path: string) => this.answered(this.#world.get(this.hub + path));
    const begun = await this.answered(this.#world.post(`${this.hub}/setups`, { kind: "bridge" }));
    const path = `/setups/${begun?.body.id}`;
    const asked = await get(path);
    if (asked?.body.state === "failed") return asked.body;
    expect(asked?.body).toMatchObject({ state: "asking", question: { number: 1, ask: "code" } });
    for (const _ of [1, 2]) expect(await this.status(`${path}/answers/1`, { answer: code })).toBe(200);
    // Waits until there is something new.
    return (await get(`${path}?after=${asked?.body.version}`))?.body;
  }
}

it("admits a lock and pairs a bridge, once, also when the hub dies in between", async () => {
  await using world = await World.start({ seed: 1, moreDrivers: (kept) => [bridges(kept)] });
  const portal = new Portal(world);
  expect(await portal.found()).toMatchObject([{ edgeId: LOCK, services: ["Lock"], admission: "awaiting_admission" }]);
  for (const _ of [1, 2]) expect(await portal.status(`/admissions/${LOCK}`)).toBe(200);
  expect(await portal.found()).toEqual([]);
  expect(await portal.paired("1234")).toMatchObject({ found: [{ name: "A bridge" }] });

  world.hub.kill();
  await world.hub.start();
  await world.calm();
  expect(await portal.found()).toEqual([]);
  expect(await portal.paired("5678")).toMatchObject({
    state: "failed",
    text: "It is paired already, by the code 1234.",
  });

  for (const _ of [1, 2])
    expect((await portal.answered(world.delete(`${portal.hub}/admissions/${LOCK}`)))?.status).toBe(200);
  expect(await portal.found()).toHaveLength(1);
});

it("gets by name what the hub refuses, and that nothing was asked of one that is offline", async () => {
  await using world = await World.start({ seed: 2, moreDrivers: (kept) => [bridges(kept)] });
  const portal = new Portal(world);
  const { hub } = portal;
  const title = async (answer: Promise<WorldAnswer | undefined>) => (await portal.answered(answer))?.body?.title;
  expect(await title(world.post(`${hub}/setups`, { kind: "coffee" }))).toBe("Setup Kind Invalid");
  expect(await title(world.get(`${hub}/setups/none`))).toBe("Setup Not Found");
  expect(await title(world.putTo(`${hub}/admissions/front-door`))).toBe("Device Invalid");
  world.hub.kill();
  await world.clock.advance(30_000);
  const offline = await portal.answered(world.get(`${hub}/drivers`));
  expect(offline?.body).toMatchObject({ title: "Hub Offline", outcome: "not_sent" });
});
