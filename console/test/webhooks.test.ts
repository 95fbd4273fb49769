/** `webhooks trigger` and `verify` against the real service, within the test. */
import { createHmac } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestConsole } from "./console.ts";

let desk: TestConsole;
beforeAll(async () => {
  desk = await TestConsole.start();
  await desk.signIn();
});
afterAll(() => desk[Symbol.asyncDispose]());

describe("trigger", () => {
  it("takes the only webhook, or asks which", async () => {
    expect(await desk.run("webhooks trigger device.online")).toMatchObject({
      ...{ exitStatus: 2, stderr: expect.stringContaining("There is no webhook.") },
    });
    const { id } = await desk.json("webhooks create --url https://receiver.example/a");
    expect(await desk.json("webhooks trigger device.online")).toMatchObject({ type: "webhook.test" });
    const { items } = await desk.json(`webhooks deliveries ${id}`);
    expect(items).toHaveLength(1);
    const body = JSON.parse((await desk.json(`webhooks delivery ${id} ${items[0].id}`)).request.body);
    expect(body).toMatchObject({ type: "device.online", test: true });
    await desk.json("webhooks create --url https://receiver.example/b");
    expect(await desk.run("webhooks trigger device.online")).toMatchObject({ exitStatus: 2 });
    expect(await desk.run(`webhooks trigger device.online ${id}`)).toMatchObject({ exitStatus: 0 });
    const unknown = await desk.run(`webhooks trigger device.exploded ${id}`);
    expect(unknown).toMatchObject({ exitStatus: 5, stderr: expect.stringContaining("/type") });
  });
});

describe("verify", () => {
  const secret = `whsec_${Buffer.from("a secret of thirty-two bytes, yes").toString("base64")}`;
  const body = JSON.stringify({ id: "evt_1", type: "device.online", data: { alias: "Küche" } });
  /** Files of a delivery that was signed so many seconds ago. */
  function delivery(secondsAgo = 0, sent = body) {
    const timestamp = Math.floor(desk.cloud.clock.now() / 1000) - secondsAgo;
    const key = Buffer.from(secret.slice(6), "base64");
    const signature = createHmac("sha256", key).update(`evt_1.${timestamp}.${body}`).digest("base64");
    const file = (name: string, text: string) => {
      writeFileSync(join(desk.home, name), text);
      return join(desk.home, name);
    };
    const lines = ["HTTP/1.1 200 OK", "Webhook-Id: evt_1", `webhook-timestamp: ${timestamp}`];
    const headers = file("headers.txt", [...lines, `webhook-signature: v1,${signature}`, ""].join("\r\n"));
    return `webhooks verify ${file("body.json", sent)} --headers ${headers} --secret-file ${file("secret.txt", `${secret}\n`)}`;
  }

  it("accepts what is signed with the secret, from a file or from the environment", async () => {
    const line = delivery();
    const valid = "The signature is valid: device.online evt_1\n";
    expect(await desk.run(line)).toEqual({ exitStatus: 0, stdout: valid, stderr: "" });
    const withoutFile = line.replace(/ --secret-file \S+/, "");
    expect(await desk.run(withoutFile)).toMatchObject({ exitStatus: 2 });
    expect(await desk.run(withoutFile, { env: { WEBHOOK_SECRET: secret } })).toMatchObject({ exitStatus: 0 });
    expect(await desk.json(line)).toEqual(JSON.parse(body));
  });

  it("refuses another body, another secret, an old signature and a missing header, each by its cause", async () => {
    const changed = await desk.run(delivery(0, body.replace("online", "offline")));
    expect(changed).toMatchObject({
      exitStatus: 1,
      stdout: "",
      stderr: expect.stringContaining("No signature is made"),
    });
    const env = { WEBHOOK_SECRET: "whsec_AAAA" };
    expect(await desk.run(delivery().replace(/ --secret-file \S+/, ""), { env })).toMatchObject({ exitStatus: 1 });
    const old = delivery(3600);
    expect((await desk.run(old)).stderr).toContain("more than five minutes");
    expect(await desk.run(`${old} --any-time`)).toMatchObject({ exitStatus: 0 });
    expect((await desk.run(delivery().replace(/ --headers \S+/, ""))).stderr).toContain("`webhook-id` is missing");
  });

  it("shows the secret nowhere", () => {
    expect(desk.stderr).not.toContain(secret);
  });
});
