/** What an operator sees of webhooks and streams at `/metrics`: counts, and no names. */
import { expect, it } from "vitest";
import { TestCloud } from "../app.fixture.ts";
import { answering, hanging, Receiver, taken } from "./receiver.fixture.ts";

it("attempts are counted by what became of them, and who is behind shows", async () => {
  await using cloud = await TestCloud.start({ webhookAllow: ["127.0.0.0/8"] });
  await using receiver = await Receiver.start();
  const home = await cloud.home();
  const asked = (body: object) => ({ token: home.token, body });
  const happen = () => cloud.good("POST", "/api/zones", asked({ environmentId: home.environmentId }));
  const metrics = async () => {
    const text = await cloud.app.metrics.text();
    return text.split("\n").filter((line) => /^porchlight_(webhook|event)/.test(line));
  };
  /** Turns of the loop until it shows. */
  const until = async (line: string) => {
    while (!(await metrics()).includes(line)) await cloud.clock.advance(0);
  };
  await cloud.good("POST", "/api/webhooks", asked({ url: receiver.url, events: ["zone.*"] }));
  expect(await metrics()).toEqual(["porchlight_event_streams 0", "porchlight_webhook_lag_events 0"]);

  for (const answer of [taken, answering(404), answering(503)]) {
    receiver.answer(answer);
    await happen();
    await receiver.until((received) => received.length === 1);
    receiver.received.length = 0;
    await until("porchlight_webhook_lag_events 0");
  }
  receiver.answer(hanging);
  await happen();
  await happen();
  await until("porchlight_webhook_lag_events 2");
  expect(await metrics()).toEqual([
    'porchlight_webhook_attempts_total{result="succeeded"} 1',
    'porchlight_webhook_attempts_total{result="answered_4xx"} 1',
    'porchlight_webhook_attempts_total{result="answered_5xx"} 1',
    "porchlight_event_streams 0",
    "porchlight_webhook_lag_events 2",
  ]);
});
