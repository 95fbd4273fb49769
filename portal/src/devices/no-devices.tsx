/** Where no device is yet: how the first one comes. */
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { CodeBlock } from "../kit/display/id.tsx";
import { Empty } from "../kit/display/query-view.tsx";
import { SIMULATED_DEVICES, simulatedHub } from "../kit/text/simulated-home.ts";
import classes from "./no-devices.module.css";

export function NoDevices({ environmentId }: { readonly environmentId: string }) {
  return (
    <div className={classes.ways}>
      <Empty
        title="No devices yet"
        action={
          <>
            <Button renderRoot={(props) => <Link to="/pair" search={{ environment: environmentId }} {...props} />}>
              Pair hub
            </Button>
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to="/environments/$environmentId/devices/new" params={{ environmentId }} {...props} />
              )}
            >
              Create virtual device
            </Button>
          </>
        }
      >
        Devices appear here as soon as the hub that they are connected to is paired. No hardware? Simulate a home with a
        colour lamp, a thermostat, a button and more. In a checkout of Porchlight, start its devices:
      </Empty>
      <CodeBlock code={SIMULATED_DEVICES} label="command that starts simulated devices" />
      <p className={classes.then}>In a second terminal, start its hub. It shows the code to pair it with:</p>
      <CodeBlock code={simulatedHub(location.origin)} label="commands that start a simulated hub" />
    </div>
  );
}
