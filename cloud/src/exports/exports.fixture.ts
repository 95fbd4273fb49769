/** Exports as a test sees them: started, waited for, and downloaded as bytes. */
import { settle, systemClock } from "@porchlight/shared/kernel";
import type { Home, TestCloud } from "../app.fixture.ts";

/** Only ends a hung test, ms. */
const LIMIT_MS = 50_000;
const PATH = "/api/account/export";

export function startExport(cloud: TestCloud, { token, password: currentPassword }: Pick<Home, "token" | "password">) {
  return cloud.good("POST", PATH, { token, body: { currentPassword } });
}

/** Lets work be done, without time passing, until the export is in that state. @throws Error when that is never */
export async function exportIn(cloud: TestCloud, { token }: Pick<Home, "token">, state: string) {
  let found: { readonly state: string } | undefined;
  for (const end = systemClock.monotonic() + LIMIT_MS; systemClock.monotonic() < end; ) {
    found = await cloud.good("GET", PATH, { token });
    if (found?.state === state) return found as Readonly<Record<string, string | number>> & { readonly state: string };
    await settle(20);
  }
  throw new Error(`the export is ${found?.state}`);
}

/** The archive, or what of it is asked for. */
export async function downloaded(
  cloud: TestCloud,
  { token }: Pick<Home, "token">,
  headers: Readonly<Record<string, string>> = {},
) {
  const {
    statusCode,
    headers: answerHeaders,
    rawPayload,
  } = await cloud.app.fastify.inject({
    method: "GET",
    url: `${PATH}/archive`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  return { status: statusCode, headers: answerHeaders, bytes: rawPayload };
}
