/** What a transaction learns of its connection when statements go in one pipelined batch. */
import pg from "pg";
import { expect, it } from "vitest";
import { OwnClient } from "./postgres.ts";

/** A connection that answers with these errors, one after another. */
function answering(...errors: Error[]): OwnClient {
  const client = Object.assign(new pg.Client(), { query: () => Promise.reject(errors.shift()) });
  return new OwnClient(client, () => undefined);
}

function refused(code: string): Error {
  return Object.assign(new pg.DatabaseError(`error ${code}`, 0, "error"), { code });
}

const codes = async (own: OwnClient, count: number) => {
  const asked = Array.from({ length: count }, () => own.query({ text: "select 1" }));
  return (await Promise.allSettled(asked)).map((each) => each.status === "rejected" && each.reason.code);
};

it("a statement that fails because an earlier one failed is reported with the reason of that one", async () => {
  const own = answering(refused("40P01"), refused("25P02"), refused("25P02"));
  expect(await codes(own, 3)).toEqual(["40P01", "40P01", "40P01"]);
  expect(own.isGone).toBe(false);
});

it("after a rollback the next reason counts", async () => {
  const own = answering(refused("23505"), refused("25P02"), refused("23502"), refused("25P02"));
  expect(await codes(own, 4)).toEqual(["23505", "23505", "23502", "23502"]);
});

it("an error that is none of the server's is the connection's, and nothing more is asked of it", async () => {
  const own = answering(new Error("socket hang up"));
  await expect(own.query({ text: "select 1" })).rejects.toThrow("socket hang up");
  expect(own.isGone).toBe(true);
  await expect(own.query({ text: "select 2" })).rejects.toMatchObject({ name: "Service Unavailable" });
});
