/** Frames of the Zigbee Cluster Library: requests to a device are parsed, and its answers and reports are encoded. */
import type { Answer, Ask, Values } from "./channel.ts";
import type { Herdsman, ZclAttribute, ZclCluster, ZclFrame } from "./herdsman.ts";

/** What the frame asks; undefined for what simulated devices do not understand. */
export function askOf({ header, cluster, command, payload }: ZclFrame): Ask | undefined {
  if (!header.isGlobal) return { kind: "command", cluster: cluster.name, command: command.name, payload };
  const records: readonly Values[] = Array.isArray(payload) ? payload : [];
  const names = records.map(({ attrId }) => nameOf(cluster, attrId));
  switch (command.name) {
    case "read":
      return { kind: "read", cluster: cluster.name, attributes: names };
    case "configReport":
      return { kind: "configure", cluster: cluster.name, attributes: names };
    case "write":
      return {
        kind: "write",
        cluster: cluster.name,
        attributes: Object.fromEntries(records.map(({ attrData }, at) => [names[at], attrData])),
      };
    default:
      return undefined;
  }
}

export class Frames {
  readonly #zcl: Herdsman["Zcl"];
  #sequence = 0;

  constructor(zcl: Herdsman["Zcl"]) {
    this.#zcl = zcl;
  }

  /** The frame with which a device answers another one; undefined when it is silent. */
  answer(to: ZclFrame, ask: Ask | undefined, answer: Answer): ZclFrame | undefined {
    const status = answer.kind === "status" ? answer.status : this.#zcl.Status.SUCCESS;
    if (answer.kind === "silence") return undefined;
    if (ask?.kind === "read" && answer.kind === "values")
      return this.#response(
        to,
        "readRsp",
        ask.attributes.map((name) => this.#readRecord(to, name, answer.values)),
      );
    if (ask?.kind === "write") return this.#response(to, "writeRsp", [{ status, ...firstRecord(to, status) }]);
    if (ask?.kind === "configure")
      return this.#response(to, "configReportRsp", [{ status, direction: 0, ...firstRecord(to, status) }]);
    return this.#response(to, "defaultRsp", { cmdId: to.command.ID, statusCode: status });
  }

  /** @throws Error for an attribute that the library does not know */
  report(clusterName: string, attributes: Values): ZclFrame {
    const { SERVER_TO_CLIENT } = this.#zcl.Direction;
    const cluster = this.cluster(clusterName);
    const records = Object.entries(attributes).map(([name, attrData]) => {
      const attribute = cluster.attributes[name];
      if (!attribute) throw new Error(`${clusterName} has no attribute ${name}`);
      return { attrId: attribute.ID, dataType: attribute.type, attrData };
    });
    return this.#frame("GLOBAL", SERVER_TO_CLIENT, "report", cluster, records);
  }

  /** A command of a device, such as of a button or an alarm. Parameters that are not given are 0. */
  command(clusterName: string, command: string, payload: Values): ZclFrame {
    const { CLIENT_TO_SERVER, SERVER_TO_CLIENT } = this.#zcl.Direction;
    const cluster = this.cluster(clusterName);
    const isClient = Object.hasOwn(cluster.commands, command);
    const definition = (isClient ? cluster.commands : cluster.commandsResponse)[command];
    const zeros = definition?.parameters.map(({ name }) => [name, 0] as const) ?? [];
    return this.#frame("SPECIFIC", isClient ? CLIENT_TO_SERVER : SERVER_TO_CLIENT, command, cluster, {
      ...Object.fromEntries(zeros),
      ...payload,
    });
  }

  cluster(name: string): ZclCluster {
    return this.#zcl.Utils.getCluster(name, undefined, {});
  }

  /** As received. */
  bytes(frame: ZclFrame): { readonly clusterID: number; readonly header: unknown; readonly data: Buffer } {
    const data = frame.toBuffer();
    return { clusterID: frame.cluster.ID, header: this.#zcl.Header.fromBuffer(data), data };
  }

  #frame(type: "GLOBAL" | "SPECIFIC", direction: number, command: string, cluster: ZclCluster, payload: unknown) {
    this.#sequence = (this.#sequence + 1) % 256;
    const frameType = this.#zcl.FrameType[type];
    return this.#zcl.Frame.create(frameType, direction, true, undefined, this.#sequence, command, cluster, payload, {});
  }

  #response({ header, cluster }: ZclFrame, command: string, payload: unknown): ZclFrame {
    const { transactionSequenceNumber, manufacturerCode } = header;
    return this.#zcl.Frame.create(
      this.#zcl.FrameType.GLOBAL,
      this.#zcl.Direction.SERVER_TO_CLIENT,
      true,
      manufacturerCode,
      transactionSequenceNumber,
      command,
      cluster,
      payload,
      {},
    );
  }

  #readRecord({ cluster }: ZclFrame, name: string, values: Values): Values {
    const { SUCCESS, UNSUPPORTED_ATTRIBUTE } = this.#zcl.Status;
    const attribute = cluster.attributes[name];
    if (!attribute) return { attrId: Number(name), status: UNSUPPORTED_ATTRIBUTE };
    const attrData = values[name];
    if (attrData === undefined) return { attrId: attribute.ID, status: UNSUPPORTED_ATTRIBUTE };
    return { attrId: attribute.ID, status: SUCCESS, dataType: attribute.type, attrData };
  }
}

/** When all went well, one record without an attribute stands for all (ZCL, 2.5.5.1). */
function firstRecord({ payload }: ZclFrame, status: number): Values {
  const [first]: readonly Values[] = Array.isArray(payload) ? payload : [];
  return status === 0 || !first ? {} : { attrId: first.attrId };
}

function nameOf({ attributes }: ZclCluster, id: unknown): string {
  const found = Object.entries(attributes).find(([, { ID }]: [string, ZclAttribute]) => ID === id);
  return found?.[0] ?? String(id);
}
