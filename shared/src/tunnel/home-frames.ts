/**
 * Frames in which the cloud tells and asks of a home what is no command and no read: names for the API at home, the hub's drivers, the hub
 * itself. Most hubs never see one, so that their schemas are built when they are first used.
 */
import { z } from "zod";
import { driverAnswer, driverQuestion, isEdgeId, maintenanceAnswer, maintenanceQuestion } from "../model/index.ts";

const edgeId = z.string().refine(isEdgeId, "must be an EUI-48 or EUI-64");
const count = z.int().min(0);

// --- the hub's drivers -----------------------------------------------------------------------------------------------

/** What a person asks of them through the cloud: their state, devices that wait to be admitted, setups. */
export const drivers = z.object({ question: driverQuestion });
export const driversAnswer = driverAnswer;

// --- the hub itself ----------------------------------------------------------------------------------------------------

/** What a person asks of it through the cloud: its status, what is wrong, its log, backups, a restart. */
export const maintenance = z.object({ question: maintenanceQuestion });
export { maintenanceAnswer };

// --- what the API at home needs to know ------------------------------------------------------------------------------

/** All of the hub's devices as the cloud calls them; a device that is not among them has no name any more. */
export const names = z.lazy(() =>
  z.object({
    /** Over all that follows; the hub says it in its next hello. */
    digest: z.string().min(1).max(64),
    ecosystemId: z.string().max(64),
    environmentId: z.string().max(64),
    environmentAlias: z.string().max(256).optional(),
    clientId: z.string().max(64),
    devices: z.array(z.object({ edgeId, id: z.string().max(64), version: count })).max(1000),
  }),
);
/** `wanted`: those of which the hub has not this version. */
export const namesAnswer = z.object({ wanted: z.array(edgeId) });

/** One device. `meta` is JSON `{"s": system metadata under bare names, "o": the rest}`, each left out when empty: as text, for any key. */
export const name = z.lazy(() =>
  z.object({
    edgeId,
    id: z.string().max(64),
    version: count,
    alias: z.string().max(256).optional(),
    meta: z.string().max(72 * 1024),
    createdAt: z.number(),
  }),
);
export const nameAnswer = z.object({});
