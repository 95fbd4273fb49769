/** The errors of a pairing or a log-in by code: an unknown code, an answer that has not come, an answer that came too late. */
import type { ErrorName } from "@porchlight/shared/kernel";
import { all, type Cause } from "./causes-of-requests.ts";
import { beginLogIn, beginPairing, NEVER } from "./hubs-that-pair.ts";

const isPoll = (route: string) => route.endsWith("/poll");

export const CAUSES_OF_PAIRING: Partial<Readonly<Record<ErrorName, Cause>>> = {
  "Pairing Code Invalid": async (to) => {
    if (!isPoll(to.route)) return all(to.send({ params: { userCode: NEVER } }), to.send({ params: { userCode: "x" } }));
    const { polls } = await beginPairing(to.stage.cloud);
    return all(to.send(), to.send({ body: { ...polls, signature: "AAAA" } }));
  },
  "Pairing Expired": (to) => {
    const { userCode, polls } = to.stage.latePairing;
    return all(to.send(isPoll(to.route) ? { body: polls } : { params: { userCode } }));
  },
  "Pairing Pending": async (to) => {
    const { polls: body } = await beginPairing(to.stage.cloud);
    return all(to.send({ body }));
  },
  "Pairing Slow Down": async (to) => {
    const { polls: body } = await beginPairing(to.stage.cloud);
    await to.send({ body });
    return all(to.send({ body }));
  },
  "Pairing Denied": async (to) => {
    const { cloud, tokens } = to.stage;
    const { polls: body, userCode } = await beginPairing(cloud);
    await cloud.good("POST", `/api/pairings/${userCode}/deny`, { token: tokens.user });
    return all(to.send({ body }));
  },
  "Login Code Invalid": (to) =>
    isPoll(to.route)
      ? all(to.send())
      : all(to.send({ params: { userCode: NEVER } }), to.send({ params: { userCode: "x" } })),
  "Login Expired": (to) => {
    const { userCode, polls } = to.stage.lateLogIn;
    return all(to.send(isPoll(to.route) ? { body: polls } : { params: { userCode } }));
  },
  "Login Pending": async (to) => {
    const { polls: body } = await beginLogIn(to.stage.cloud);
    return all(to.send({ body }));
  },
  "Login Slow Down": async (to) => {
    const { polls: body } = await beginLogIn(to.stage.cloud);
    await to.send({ body });
    return all(to.send({ body }));
  },
  "Login Denied": async (to) => {
    const { cloud, tokens } = to.stage;
    const { polls: body, userCode } = await beginLogIn(cloud);
    await cloud.good("POST", `/api/accounts/login/code/${userCode}/deny`, { token: tokens.account });
    return all(to.send({ body }));
  },
};
