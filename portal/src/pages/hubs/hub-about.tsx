/** The section about the hub's status: version, machine, memory, disk, and problems. */
import { Alert } from "@mantine/core";
import type { Client, HubStatus } from "@porchlight/shared/api";
import { useQuery } from "@tanstack/react-query";
import { hubStatusQuery } from "../../data/hubs.ts";
import { Fact, Facts } from "../../kit/display/facts.tsx";
import { Section } from "../../kit/display/page.tsx";
import { bytesOf, counted, spanOf } from "../../kit/text/quantity.ts";
import { useApi } from "../../session/context.tsx";
import { HubTold } from "./hub-backups.tsx";

/** The hub's current status: version, machine, memory, disk, and problems. */
export function HubAbout({ client }: { readonly client: Client }) {
  const isOnline = client.connection.state === "online";
  const status = useQuery({ ...hubStatusQuery(useApi(), client.id), enabled: isOnline });
  return (
    <Section title="About this hub">
      <HubTold client={client} query={status} done="As of">
        {(told) => <About status={told} />}
      </HubTold>
    </Section>
  );
}

function About({ status }: { readonly status: HubStatus }) {
  const { version, uptimeMs, system, architecture, runtime, dataFolder } = status;
  const { memory, disk, queue, clock, localApi, commandsWaiting, problems } = status;
  const ofDisk = disk.totalBytes === undefined ? "" : ` of ${bytesOf(disk.totalBytes)}`;
  return (
    <>
      {problems.map(({ name, says, cure }) => (
        <Alert key={`${name} ${says}`} color="bad" variant="light" title={says}>
          {cure}
        </Alert>
      ))}
      <Facts>
        <Fact name="Agent">
          {version}, {runtime}
        </Fact>
        <Fact name="Running for">{spanOf(uptimeMs)}</Fact>
        <Fact name="System">
          {system}, {architecture}
        </Fact>
        <Fact name="Memory">
          the agent uses {bytesOf(memory.agentBytes)}; {bytesOf(memory.freeBytes)} of {bytesOf(memory.totalBytes)} free
        </Fact>
        <Fact name="Disk">
          {disk.freeBytes === undefined ? "free space unknown" : `${bytesOf(disk.freeBytes)}${ofDisk} free`}
          {disk.isFull && ", full: new reports wait at the devices"}
        </Fact>
        <Fact name="History">{bytesOf(disk.databaseBytes)}</Fact>
        <Fact name="Reports to send">
          {counted(queue.records, "report")}
          {queue.isFull && ", full"}
          {queue.droppedValues > 0 && `, ${counted(queue.droppedValues, "older value")} dropped`}
          {queue.gaps > 0 && `, ${counted(queue.gaps, "value")} lost to a full disk`}
        </Fact>
        <Fact name="Commands to carry out">{commandsWaiting}</Fact>
        <Fact name="Time">{CLOCKS[clock.source] ?? clock.source}</Fact>
        <Fact name="Local API">
          {localApi && (localApi.url ?? `not served${localApi.failure ? `: ${localApi.failure}` : ""}`)}
        </Fact>
        <Fact name="Data folder">
          <span className="mono">{dataFolder}</span>
        </Fact>
      </Facts>
    </>
  );
}

const CLOCKS: Readonly<Record<string, string>> = {
  system: "from its system clock",
  cloud: "from the service, because its own clock is wrong",
  guessed: "estimated, until the service tells it the time",
} satisfies Readonly<Record<HubStatus["clock"]["source"], string>>;
