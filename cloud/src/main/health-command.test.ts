import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { CommandRefused } from "./command.ts";
import { askHealth } from "./health-command.ts";

let server: Server | undefined;
afterEach(() => void server?.close());

async function serviceThat(status: number, body: string): Promise<{ host: string; port: number }> {
  const started = createServer((request, response) =>
    response.writeHead(request.url === "/readyz" ? status : 404).end(body),
  );
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  return { host: "0.0.0.0", port: (started.address() as AddressInfo).port };
}

async function health(settings: { host: string; port: number }): Promise<string> {
  const printed: string[] = [];
  await askHealth({ ...settings, tlsCert: undefined }, (line) => printed.push(line));
  return printed.join("\n");
}

describe("the health of the service on this machine", () => {
  it.each([
    [200, { status: "ready" }, "ready"],
    [200, { status: "ready", warning: "NATS does not answer" }, "ready, but: NATS does not answer"],
  ])("is printed when it answers %d %j", async (status, body, printed) => {
    expect(await health(await serviceThat(status, JSON.stringify(body)))).toBe(printed);
  });

  it.each([
    [503, JSON.stringify({ title: "Service Unavailable", detail: "It is being stopped." }), "It is being stopped."],
    [503, JSON.stringify({ title: "Service Unavailable" }), "Service Unavailable"],
    [200, "<html>", "it answered 200"],
    [200, "x".repeat(20_000), "its answer has no end"],
  ])("is a failure when it answers %d %.40s", async (status, body, printed) => {
    const service = await serviceThat(status, body);
    await expect(health(service)).rejects.toThrow(printed);
    await expect(health(service)).rejects.toBeInstanceOf(CommandRefused);
  });

  it("is a failure when nothing listens, and when its port is not known", async () => {
    const gone = await serviceThat(200, "");
    await new Promise((resolve) => server?.close(resolve));
    await expect(health(gone)).rejects.toThrow("The service does not answer: connect ECONNREFUSED");
    await expect(health({ host: "127.0.0.1", port: 0 })).rejects.toThrow("with --port");
  });
});
