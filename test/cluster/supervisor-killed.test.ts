/** Workers do not outlive their supervisor, also one that is killed: a second service on the same port would share nothing with them. */
import { expect, test } from "vitest";
import { eventually } from "../parts/eventually.ts";
import { isThere, WorkersService } from "./workers-service.ts";

test("a supervisor that is killed takes its workers with it", async () => {
  await using service = await WorkersService.start({ workers: 2, env: { PORCHLIGHT_PORTAL: "off" } });
  const workers = [1, 2].map((worker) => service.processOf(worker));
  expect(workers.every(isThere)).toBe(true);
  await service.program.kill();
  await eventually("no worker is left", async () => !workers.some(isThere));
});
