// Pairs the demonstration's hub as its owner would: the hub shows a code, and the account approves it.
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Pairs the hub unless it has a token. Gives the ID of its client. */
export async function pairHub(programs, api, account, { cloud, data }) {
  if (account.clientId && existsSync(join(data, "token"))) return account.clientId;
  const approve = async (code) => {
    // A hub that is paired again is the client that it was, under the name that it has.
    const alias = account.clientId ? {} : { alias: "home-hub" };
    const body = { environmentId: account.environmentId, ...alias };
    await api.call("POST", `/api/pairings/${code}/approve`, { token: account.accountToken, body });
  };
  let paired;
  const refused = Promise.withResolvers();
  const ended = programs.run(
    "pairing",
    "agent/src/main.ts",
    ["pair", "--cloud", cloud, "--data", data, "--again"],
    (line) => {
      const code = /^code: (\S+)$/.exec(line)?.[1];
      if (code)
        approve(code).catch((error) => {
          // Approved in a run before that was broken off, it cannot be approved again, and need not be.
          if (error.title !== "Pairing Code Invalid") refused.reject(error);
        });
      paired ??= /^paired: client (\S+)/.exec(line)?.[1];
    },
  );
  await Promise.race([ended, refused.promise]);
  if (!paired) throw new Error("The hub could not be paired.");
  return paired;
}
