/** Flags go before variables, variables before the profile: each setting by a table. */
import { expect, test } from "vitest";
import { connectionOf } from "./connection.ts";

const HERE = "https://here.example";
const THERE = "https://there.example";

const settings = {
  current: "mine",
  profiles: {
    mine: { apiUrl: HERE, token: "plt_auth_mine", environment: "env_mine", ecosystem: "eco_mine" },
    work: { apiUrl: THERE, token: "plt_auth_work" },
  },
};

test.each([
  // flags, variables, what is decided
  [{}, {}, { profile: "mine", apiUrl: HERE, token: "plt_auth_mine", tokenFrom: "profile", environment: "env_mine" }],
  [{}, { PORCHLIGHT_PROFILE: "work" }, { profile: "work", apiUrl: THERE, token: "plt_auth_work" }],
  [{ profile: "mine" }, { PORCHLIGHT_PROFILE: "work" }, { profile: "mine", apiUrl: HERE }],
  [{}, { PORCHLIGHT_API_URL: `${HERE}/` }, { apiUrl: HERE, token: "plt_auth_mine" }],
  [{ apiUrl: `${HERE}/api/` }, { PORCHLIGHT_API_URL: THERE }, { apiUrl: HERE, token: "plt_auth_mine" }],
  [{}, { PORCHLIGHT_TOKEN: "plt_usr_x" }, { token: "plt_usr_x", tokenFrom: "PORCHLIGHT_TOKEN" }],
  [{ profile: "work" }, { PORCHLIGHT_TOKEN: "plt_usr_x" }, { profile: "work", apiUrl: THERE, token: "plt_usr_x" }],
  [{}, { PORCHLIGHT_TOKEN: "", PORCHLIGHT_API_URL: "", PORCHLIGHT_PROFILE: "" }, { profile: "mine", apiUrl: HERE }],
  [
    {},
    { PORCHLIGHT_ENVIRONMENT: "env_x", PORCHLIGHT_ECOSYSTEM: "eco_x" },
    { environment: "env_x", ecosystem: "eco_x" },
  ],
  [{ profile: "new" }, {}, { profile: "new", apiUrl: "http://127.0.0.1:8080", token: undefined }],
  [{ profile: "toString" }, {}, { profile: "toString", token: undefined, isTokenWithheld: false }],
  // A token is for the service that gave it.
  [{ apiUrl: THERE }, {}, { apiUrl: THERE, token: undefined, isTokenWithheld: true, environment: undefined }],
  [{}, { PORCHLIGHT_API_URL: THERE }, { apiUrl: THERE, token: undefined, isTokenWithheld: true }],
  [{ apiUrl: THERE }, { PORCHLIGHT_TOKEN: "plt_usr_x" }, { apiUrl: THERE, token: "plt_usr_x", isTokenWithheld: false }],
] as const)("%j with %j", (flags, env, decided) => {
  expect(connectionOf(flags, env, settings)).toMatchObject(decided);
});

test("a token of a file goes before that of the profile, for every service", () => {
  const decided = (env: Record<string, string>) => connectionOf({}, env, settings, "plt_usr_file");
  expect(decided({})).toMatchObject({ token: "plt_usr_file", tokenFrom: "PORCHLIGHT_TOKEN_FILE" });
  expect(decided({ PORCHLIGHT_API_URL: THERE })).toMatchObject({ token: "plt_usr_file", isTokenWithheld: false });
});
