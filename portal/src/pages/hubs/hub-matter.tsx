/** The hub's Matter bridge while it runs: the pairing code for the first controller, and the paired controllers. */
import { Text } from "@mantine/core";
import type { Client, MatterBridge } from "@porchlight/shared/api";
import { matterVendor } from "@porchlight/shared/names";
import { useQuery } from "@tanstack/react-query";
import { matterBridgeQuery } from "../../data/hubs.ts";
import { Section } from "../../kit/display/page.tsx";
import { counted } from "../../kit/text/quantity.ts";
import { useWanted } from "../../kit/text/use-wanted.ts";
import { useApi } from "../../session/context.tsx";
import classes from "./hub-matter.module.css";

/** The QR code component loads only when there is a code to draw. */
const loadCode = () => import("./matter-code.tsx");

export function HubMatter({ client }: { readonly client: Client }) {
  const isOnline = client.connection.state === "online";
  const { data: bridge } = useQuery({ ...matterBridgeQuery(useApi(), client.id), enabled: isOnline });
  if (!isOnline || !bridge) return null;
  return (
    <Section
      title="Matter"
      lead={`${counted(bridge.devices, "device")} of this hub can be used in Apple Home, Google Home, Alexa, SmartThings and Home Assistant.`}
    >
      <Code bridge={bridge} />
      {bridge.controllers.length > 0 && <Controllers bridge={bridge} />}
    </Section>
  );
}

function Code({ bridge: { qrCode, manualCode } }: { readonly bridge: MatterBridge }) {
  const { Part: MatterCode } = useWanted(loadCode, qrCode !== undefined);
  if (qrCode === undefined || manualCode === undefined) return null;
  return (
    <div className={classes.code}>
      {MatterCode && <MatterCode text={qrCode} />}
      <div>
        <Text size="sm">In the app, add an accessory, and scan this code or enter the digits.</Text>
        <p className={`mono ${classes.digits}`} data-testid="matter-code">
          {manualCode.replace(/^(\d{4})(\d{3})(\d{4})$/, "$1-$2-$3")}
        </p>
        <Text size="sm">The app says that the bridge is not certified. You can add it anyway.</Text>
      </div>
    </div>
  );
}

function Controllers({ bridge: { controllers } }: { readonly bridge: MatterBridge }) {
  const named = controllers.map(({ vendorId, label }) => {
    const vendor = matterVendor(vendorId) ?? `Vendor ${vendorId}`;
    return label === "" ? vendor : `${vendor}, ${label}`;
  });
  return (
    <>
      <ul className={classes.list} aria-label="Matter controllers">
        {[...new Set(named)].map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
      <Text size="sm">To add another controller, share the bridge from the app of one that has it.</Text>
    </>
  );
}
