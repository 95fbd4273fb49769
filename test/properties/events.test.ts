/**
 * The state at any sequence is the fold of the events up to it: a snapshot that stands at N, and the events after N up to M, are
 * the snapshot that stands at M; with changes in between, and while the snapshots are being read.
 */
import { TestCloud } from "@porchlight/cloud/app.fixture.ts";
import { Followed } from "@porchlight/cloud/streams/followed.fixture.ts";
import { type Random, seededRandom } from "@porchlight/shared/kernel";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Fold } from "../parts/fold.ts";
import { rounds } from "../parts/rounds.ts";

let cloud: TestCloud;
beforeEach(async () => {
  cloud = await TestCloud.start();
});
afterEach(() => cloud[Symbol.asyncDispose]());

/** Devices at the beginning: more than are read at once. */
const DEVICES = 60;
const SERVICES = [{ service: "Switch" }, { service: "LightColor" }];

/** A writer that changes everything that can be changed. */
class Household {
  readonly #random: Random;
  readonly #token: string;
  readonly #environments: string[];
  readonly #devices: string[] = [];

  constructor(random: Random, token: string, environment: string) {
    this.#random = random;
    this.#token = token;
    this.#environments = [environment];
  }

  async settleIn(): Promise<void> {
    await Promise.all(Array.from({ length: DEVICES }, () => this.#add()));
    await Promise.all(this.#devices.map((device) => this.#set(device)));
  }

  /** One change; its object may be gone by then. */
  async change(): Promise<void> {
    const what = this.#random.fraction();
    if (what < 0.85) return this.#set(this.#pick(this.#devices));
    if (what < 0.92) return this.#add();
    if (what < 0.97) return this.#delete(`/api/devices/${this.#pick(this.#devices)}`);
    if (what < 0.985) {
      const made = await this.#post("/api/environments", {});
      this.#environments.push(made.id);
      return;
    }
    if (this.#environments.length > 1) return this.#delete(`/api/environments/${this.#environments.pop()}`);
  }

  async #set(device: string): Promise<void> {
    const isOn = this.#random.fraction() < 0.5;
    const property = isOn ? "Switch.on" : "LightColor.hue";
    const value = isOn ? this.#random.fraction() < 0.5 : Math.floor(this.#random.fraction() * 360);
    const url = `/api/devices/${device}/services/${property}`;
    await cloud.call("PUT", url, { token: this.#token, body: { value } });
  }

  async #add(): Promise<void> {
    const environmentId = this.#pick(this.#environments);
    const { id } = await this.#post("/api/devices", { environmentId, services: SERVICES });
    if (id) this.#devices.push(id);
  }

  async #post(url: string, body: object) {
    return (await cloud.call("POST", url, { token: this.#token, body })).body;
  }

  async #delete(url: string): Promise<void> {
    await cloud.call("DELETE", url, { token: this.#token });
  }

  #pick(from: readonly string[]): string {
    return from[Math.floor(this.#random.fraction() * from.length)] ?? "dev_none";
  }
}

/** A snapshot that is taken now. */
async function snapshot(token: string): Promise<Fold> {
  using stream = await Followed.open(cloud, token, "?snapshot=true");
  const message = await stream.next();
  return Fold.of(message?.data);
}

describe("the event log", () => {
  it.each(Array.from({ length: rounds(2, 60) }, (_, n) => n + 1))(
    "sends every change between any snapshot and any later one (seed %i)",
    async (seed) => {
      const random = seededRandom(seed);
      const home = await cloud.home();
      const household = new Household(random, home.token, home.environmentId);
      await household.settleIn();
      const begin = await snapshot(home.token);
      using stream = await Followed.open(cloud, home.token, `?lastEventId=${begin.sequence}`);
      const snapshots: Promise<Fold>[] = [];
      const changes: Promise<void>[] = [];
      for (let n = 0; n < 300; n += 1) {
        changes.push(household.change());
        // Some wait for each other, most do not, so that snapshots are read while the log goes on.
        if (random.fraction() < 0.1) await Promise.all(changes);
        if (random.fraction() < 0.03) snapshots.push(snapshot(home.token));
      }
      await Promise.all(changes);
      snapshots.push(snapshot(home.token));
      const later = (await Promise.all(snapshots)).sort((a, b) => a.sequence - b.sequence);
      const folded = begin;
      for (const expected of later) {
        while (folded.sequence < expected.sequence) {
          const message = await stream.next();
          expect(Number(message?.id)).toBe(folded.sequence + 1);
          folded.apply(message?.data);
        }
        expect(folded.items).toEqual(expected.items);
      }
      expect(later.length).toBeGreaterThan(2);
    },
  );
});
