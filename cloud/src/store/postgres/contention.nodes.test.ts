/** What two nodes are to each other in the database: no request fails for it. */
import { NamedError } from "@porchlight/shared/kernel";
import { sql } from "kysely";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshLocation } from "../fresh-store.fixture.ts";
import { type Store, statement, type Transaction, type Work } from "../index.ts";
import { type TwoNodes, twoNodes } from "../two-nodes.fixture.ts";

const letter = { account_id: "acc_1", sealed: "", attempts: 0, next_at: 0, expires_at: 0, created_at: 0 };
const everyEmail = statement<{ account: string }>("every_email_of_test")((db, p) =>
  db.selectFrom("letters").selectAll().where("account_id", "=", p.account).orderBy("id"),
);
let nodes: TwoNodes;
beforeEach(async () => {
  const fresh = await freshLocation(true);
  // Two that wait for each other are found out at once.
  await besides(
    fresh.location,
    `alter database ${new URL(fresh.location).pathname.slice(1)} set deadlock_timeout = 20`,
  );
  nodes = await twoNodes(fresh);
  await nodes.one.writeService(async ({ build, change }) => {
    for (const id of ["a", "b", "c"]) await change(build.insertInto("letters").values({ ...letter, id }));
  });
});
afterEach(() => nodes[Symbol.asyncDispose]());

async function besides(location: string, text: string): Promise<void> {
  const client = new Client(location);
  await client.connect();
  await client.query(text);
  await client.end();
}

const count = ({ build, change }: Transaction, id: string) =>
  change(
    build
      .updateTable("letters")
      .set((of) => ({ attempts: of("attempts", "+", 1) }))
      .where("id", "=", id),
  );
const attempts = async () => (await nodes.one.service.all(everyEmail, { account: "acc_1" })).map((row) => row.attempts);

/** Two jobs that wait for each other the first time: each has its first row when they go on to the other's. */
function crossed(): [Work<number>, Work<number>] {
  const met = Promise.withResolvers<void>();
  let arrived = 0;
  const job =
    (first: string, second: string): Work<number> =>
    async (tx) => {
      await count(tx, first);
      arrived += 1;
      if (arrived === 2) met.resolve();
      await met.promise;
      return count(tx, second);
    };
  return [job("a", "b"), job("b", "a")];
}

describe("of two jobs that wait for each other", () => {
  it("both are done, once", async () => {
    const [there, back] = crossed();
    expect(await Promise.all([nodes.one.writeService(there), nodes.other.writeService(back)])).toEqual([1, 1]);
    expect(await attempts()).toEqual([2, 2, 0]);
  });

  it("all of their groups are done, in order, and what fails for its own reason fails alone", async () => {
    const [there, back] = crossed();
    const order: string[] = [];
    const noting = (name: string, job: Promise<unknown>) => job.then(() => order.push(name));
    const failing = nodes.one.writeService(async () => {
      throw new NamedError("Email Exists");
    });
    await Promise.all([
      noting(
        "first",
        nodes.one.writeService((tx) => count(tx, "c")),
      ),
      noting("second", nodes.one.writeService(there)),
      expect(failing).rejects.toMatchObject({ name: "Email Exists" }),
      noting(
        "third",
        nodes.one.writeService((tx) => count(tx, "c")),
      ),
      nodes.other.writeService(back),
    ]);
    expect(order).toEqual(["first", "second", "third"]);
    expect(await attempts()).toEqual([2, 2, 2]);
  });

  it("that never stop doing so one is refused in the end, as by a database that is busy", async () => {
    const always = new Error("deadlock detected");
    Object.assign(always, { code: "40P01" });
    let tries = 0;
    const refused = nodes.one.writeService(async () => {
      tries += 1;
      throw always;
    });
    await expect(refused).rejects.toMatchObject({ name: "Service Unavailable", retryAfter: 1 });
    expect(tries).toBeLessThan(10);
  });
});

it("when a newer node changes a table, the older one goes on reading and writing it", async () => {
  const read = (store: Store) => store.service.all(everyEmail, { account: "acc_1" });
  const write = (store: Store) => store.writeService((tx) => tx.all(everyEmail, { account: "acc_1" }));
  const writeIn = (store: Store, eco: string) => store.write(eco, (tx) => tx.all(everyEmail, { account: "acc_1" }));
  // Each connection has prepared the statement.
  const all = () =>
    Promise.all([
      ...Array.from({ length: 20 }, () => read(nodes.one)),
      write(nodes.one),
      ...["eco_a", "eco_b", "eco_c"].map((eco) => writeIn(nodes.one, eco)),
    ]);
  await all();
  await nodes.other.writeService((tx) =>
    tx.change({ compile: () => sql`alter table letters add column newer text`.compile(tx.build) }),
  );
  for (const rows of await all()) expect(rows).toHaveLength(3);
});
