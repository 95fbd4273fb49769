/** The routes at home of the hub's drivers: devices found and admitted, setups. The cloud has the same routes for a client. */
import { type DriverQuestion, matterBridge } from "@porchlight/shared/model";
import {
  admitQuestion,
  answerQuestion,
  bodyInvalid,
  driverListAnswered,
  lookQuestion,
  preferenceApplied,
  readOneText,
  requireAdmitted,
  SETUP_QUERY,
  setupAnswered,
} from "@porchlight/shared/rest";
import type { AskDrivers } from "../../drivers/index.ts";
import type { HomeAnswer, HomeCall, HomeRoute } from "../home-call.ts";

const SETUPS = "/api/setups";

export function driverRoutes({ askDrivers }: { readonly askDrivers: AskDrivers }): HomeRoute[] {
  const admit = async (call: HomeCall, admitted: boolean): Promise<HomeAnswer> => {
    requireAdmitted(await askDrivers(admitQuestion(call.param("edgeId"), admitted)));
    return { status: 200 };
  };
  const setup = async (question: DriverQuestion, signal?: AbortSignal): Promise<HomeAnswer> => ({
    status: 200,
    body: setupAnswered(await askDrivers(question, signal)),
  });
  return [
    {
      method: "GET",
      path: "/api/drivers",
      query: [],
      handle: async () => ({ status: 200, body: driverListAnswered(await askDrivers({ ask: "drivers" })) }),
    },
    {
      method: "PUT",
      path: "/api/matter-bridge",
      query: [],
      takesBody: true,
      handle: async ({ body }) => {
        const { data, error } = matterBridge.safeParse(body);
        if (!data)
          throw bodyInvalid(error.issues.map(({ path, message }) => ({ pointer: `/${path.join("/")}`, message })));
        await askDrivers({ ask: "matter bridge", is: data });
        return { status: 200 };
      },
    },
    { method: "PUT", path: "/api/admissions/:edgeId", query: [], handle: (call) => admit(call, true) },
    { method: "DELETE", path: "/api/admissions/:edgeId", query: [], handle: (call) => admit(call, false) },
    {
      method: "POST",
      path: SETUPS,
      query: [],
      takesBody: true,
      handle: async ({ body }) => {
        const made = setupAnswered(await askDrivers({ ask: "setup start", kind: readOneText(body, "kind", 64) }));
        return { status: 201, body: made, headers: { location: `${SETUPS}/${made.id}` } };
      },
    },
    {
      method: "GET",
      path: `${SETUPS}/:id`,
      query: SETUP_QUERY,
      handle: async (call) => {
        const { question, applied } = lookQuestion(call.param("id"), call.query.after, call.header("prefer"));
        return { ...(await setup(question, call.signal)), headers: preferenceApplied(applied) };
      },
    },
    {
      method: "PUT",
      path: `${SETUPS}/:id/answers/:number`,
      query: [],
      takesBody: true,
      handle: (call) => {
        const answer = readOneText(call.body, "answer", 1024);
        return setup(answerQuestion(call.param("id"), call.param("number"), answer));
      },
    },
    {
      method: "DELETE",
      path: `${SETUPS}/:id`,
      query: [],
      handle: (call) => setup({ ask: "setup cancel", id: call.param("id") }),
    },
  ];
}
