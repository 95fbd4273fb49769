/** A cloud that is killed while it sends webhooks: what happened reaches the receiver, all of it, and once by its ID. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answering, type Received, Receiver, taken } from "@porchlight/cloud/webhooks/receiver.fixture.ts";
import { verifyWebhook } from "@porchlight/sdk";
import { seededRandom } from "@porchlight/shared/kernel";
import { expect, it } from "vitest";
import { Api } from "../parts/api.ts";
import { eventually } from "../parts/eventually.ts";
import { Program } from "../parts/program.ts";
import { rounds } from "../parts/rounds.ts";

const KILLS = rounds(2, 100);

it(`all that happens over ${KILLS} kills is sent, signed, and without a gap`, async () => {
  const random = seededRandom(KILLS);
  const folder = mkdtempSync(join(tmpdir(), "porchlight-webhooks-"));
  const start = async (port: string): Promise<readonly [Program, string]> => {
    const args = ["serve", "--port", port, "--data", folder, "--rate-limit", "off", "--webhook-allow", "127.0.0.0/8"];
    const program = new Program("cloud", "cloud/src/main.ts", args);
    return [program, await program.line((line) => /^listening on (http\S+)$/.exec(line)?.[1])];
  };
  // By ID, at its first delivery.
  const has = new Map<string, Received>();
  const refused = new Set<string>();
  await using receiver = await Receiver.start((received, response) => {
    // Each at the most once: the second wait is five minutes.
    if (!refused.has(received.id) && !has.has(received.id) && random.fraction() < 0.1) {
      refused.add(received.id);
      if (random.fraction() < 0.5) answering(500)(received, response);
      else response.destroy();
      return;
    }
    if (!has.has(received.id)) has.set(received.id, received);
    taken(received, response);
  });
  let [cloud, url] = await start("0");
  try {
    const password = "correct horse battery";
    const email = "owner@example.com";
    const { environmentId } = await new Api(url).good<{ environmentId: string }>("POST", "/api/accounts", {
      email,
      password,
    });
    const { token } = await new Api(url).good<{ token: string }>("POST", "/api/accounts/login", { email, password });
    const api = new Api(url, token);
    const made = { url: receiver.url, events: ["zone.*"] };
    const { secret } = await api.good<{ secret: string }>("POST", "/api/webhooks", made);

    const acknowledged: string[] = [];
    let isRunning = true;
    const work = async () => {
      while (isRunning) {
        const answer = await api.call<{ id: string }>("POST", "/api/zones", { environmentId }).catch(() => undefined);
        if (answer?.status === 201) acknowledged.push(answer.body.id);
        else await eventually("the cloud is back", async () => (await api.call("GET", "/healthz")).status === 200);
      }
    };
    const works = Promise.all([work(), work()]);
    for (let kill = 0; kill < KILLS; kill++) {
      const [before, sent] = [acknowledged.length, has.size];
      await eventually(
        "things happen, and are sent",
        async () => acknowledged.length > before + 20 && has.size > sent + 20,
      );
      await cloud.kill();
      [cloud, url] = await start(new URL(url).port);
    }
    isRunning = false;
    await works;

    const zones = () => new Set([...has.values()].map(({ event }) => event.data.id));
    const sequencesSent = () => [...has.values()].map(({ event }) => event.sequence as number).sort((a, b) => a - b);
    // Events that were made and never acknowledged are sent too, and may be tried again later than newer ones.
    const isWhole = ([first = 0, ...more]: number[]) => (more.at(-1) ?? first) - first === more.length;
    await eventually(
      "all that was acknowledged has been sent, and all before it",
      async () => acknowledged.every((id) => zones().has(id)) && isWhole(sequencesSent()),
      180_000,
    );
    const sequences = sequencesSent();
    const [first = 0] = sequences;
    expect(sequences).toEqual(sequences.map((_, index) => first + index));
    expect(zones().size).toBe(sequences.length);
    for (const { headers, body } of [...has.values()].slice(-20))
      expect(await verifyWebhook({ headers, body, secret })).toEqual(JSON.parse(body));
    const repeats = receiver.received.length - has.size - refused.size;
    console.info(`${KILLS} kills, ${has.size} events, ${refused.size} refused once, ${repeats} sent again`);
  } finally {
    await cloud.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
