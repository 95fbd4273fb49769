/** A cloud that is copied while it works, and started from the copy elsewhere: all that was answered before is there. */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Api } from "../parts/api.ts";
import { Program } from "../parts/program.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "porchlight-restored-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);

async function serve(data: string): Promise<readonly [Program, string]> {
  const args = ["serve", "--port", "0", "--data", at(data), "--rate-limit", "off", "--portal", "off"];
  const program = new Program("cloud", "cloud/src/main.ts", args);
  return [program, await program.line((line) => /^listening on (http\S+)$/.exec(line)?.[1])];
}

interface Made {
  readonly id: string;
}

it("has everything that was answered before the copy began, and opens what was sealed", async () => {
  const [cloud, url] = await serve("first");
  const email = "owner@example.com";
  const password = "correct horse battery";
  const { environmentId } = await new Api(url).good<{ environmentId: string }>("POST", "/api/accounts", {
    email,
    password,
  });
  const { token } = await new Api(url).good<{ token: string }>("POST", "/api/accounts/login", { email, password });
  const api = new Api(url, token);
  const server = await api.good<Made>("POST", "/api/servers", {});
  const tokensOf = async (of: Api) =>
    (await of.good<{ items: { token: string }[] }>("GET", `/api/servers/${server.id}/tokens`)).items.map(
      (each) => each.token,
    );
  const sealed = await tokensOf(api);

  const answered: string[] = [];
  let isWorking = true;
  const enough = Promise.withResolvers<void>();
  const work = async () => {
    while (isWorking) {
      answered.push((await api.good<Made>("POST", "/api/zones", { environmentId })).id);
      if (answered.length === 50) enough.resolve();
    }
  };
  const works = Promise.all([work(), work(), work()]);
  await enough.promise;
  const before = [...answered];
  const copying = new Program("backup", "cloud/src/main.ts", [
    "backup",
    at("copy"),
    "--data",
    at("first"),
    "--with-key",
  ]);
  expect(await copying.line((line) => (line.startsWith("WITH") ? line : undefined))).toContain(at("copy.key"));
  expect(await copying.ended).toMatchObject({ code: 0 });
  isWorking = false;
  await works;
  expect(answered.length).toBeGreaterThan(before.length);
  await cloud.kill();
  rmSync(at("first"), { recursive: true });

  const restoring = new Program("restore", "cloud/src/main.ts", ["restore", at("copy"), "--data", at("second")]);
  expect(await restoring.ended).toMatchObject({ code: 0 });
  for (const name of ["cloud.db", "secret.key"]) expect(statSync(join(at("second"), name)).mode & 0o777).toBe(0o600);
  const [again, newUrl] = await serve("second");
  const restored = new Api(newUrl, token);
  for (const id of before) expect((await restored.call("GET", `/api/zones/${id}`)).status).toBe(200);
  expect(await tokensOf(restored)).toEqual(sealed);
  await again.kill();
});
