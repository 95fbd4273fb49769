/** A request's ID, which leads to what the request log has of it. */
import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Copy } from "./id.tsx";

export function RequestLink({ requestId }: { readonly requestId: string }) {
  return (
    <Text size="sm" c="dimmed" component="span">
      Request{" "}
      <Anchor
        className="mono"
        size="sm"
        c="inherit"
        underline="always"
        renderRoot={(props) => <Link to="/requests" search={{ request: requestId }} {...props} />}
      >
        {requestId}
      </Anchor>{" "}
      <Copy value={requestId} label="request ID" />
    </Text>
  );
}
