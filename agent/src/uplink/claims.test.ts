/** What a hub learns over its tunnel of devices that another hub of the home has. */
import { expect, test } from "vitest";
import { Hub } from "./hub.fixture.ts";

const [MINE, THEIRS] = ["02-00-00-00-00-0A", "02-00-00-00-00-0B"] as const;

async function connected(answers: Hub["cloud"]["answers"]): Promise<Hub> {
  const hub = await Hub.make();
  hub.cloud.welcome = { inventory: true };
  hub.cloud.answers = answers;
  hub.connect();
  await hub.clock.advance(0);
  return hub;
}

const ask = async (hub: Hub, edgeIds: readonly string[]) => hub.uplink?.askClaims(edgeIds);

test("the cloud says which of the devices are another hub's as soon as they are listed", async () => {
  await using hub = await connected({ inventory: () => ({ wanted: [], claimed: [THEIRS] }) });
  expect(hub.claimed).toEqual([THEIRS]);
});

test("the cloud is asked whose devices are before they are touched", async () => {
  const asked: unknown[] = [];
  await using hub = await connected({
    claims: (params) => {
      asked.push(params);
      return { claimed: [THEIRS] };
    },
  });
  expect(await hub.clock.until(ask(hub, [MINE, THEIRS]))).toEqual([THEIRS]);
  expect(asked).toEqual([{ edgeIds: [MINE, THEIRS] }]);
});

test("a cloud that does not know the question knows of no other hub", async () => {
  await using hub = await connected({});
  expect(await hub.clock.until(ask(hub, [MINE]))).toEqual([]);
});

test("nothing is known while there is no tunnel", async () => {
  await using hub = await connected({});
  hub.cloud.tunnel.cut();
  expect(await ask(hub, [MINE])).toBeUndefined();
});
