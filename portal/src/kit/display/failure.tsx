/** Shows an error: its name, its meaning, its request ID and the next step. */
import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import { isPorchlightError, type PorchlightError } from "@porchlight/sdk";
import { Link } from "@tanstack/react-router";
import { Copy } from "./id.tsx";

export interface FailureText {
  readonly title: string;
  readonly detail: string;
  readonly requestId: string | undefined;
  /** Address of the error's page in the documentation. */
  readonly page: string | undefined;
}

/** Describes any error in the service's terms. */
export function failureText(error: unknown): FailureText {
  if (isPorchlightError(error)) return ofService(error);
  const detail = error instanceof Error ? error.message : String(error);
  return { title: "This page has an error", detail, requestId: undefined, page: undefined };
}

function ofService({ name, message, requestId, problem }: PorchlightError): FailureText {
  // The problem's `type` is relative to the service's address.
  const page =
    problem && URL.canParse(problem.type, location.origin)
      ? new URL(problem.type, location.origin).pathname
      : undefined;
  return { title: name, detail: message, requestId, page };
}

interface FailureProps {
  readonly error: unknown;
  /** Repeats the failed action; without it there is no button. */
  readonly retry?: (() => void) | undefined;
  /** Dismisses the message; without it the message stays. */
  readonly putAway?: (() => void) | undefined;
}

export function Failure({ error, retry, putAway }: FailureProps) {
  const { title, detail, requestId, page } = failureText(error);
  return (
    <Alert
      color="bad"
      variant="light"
      title={title}
      role="alert"
      {...(putAway && { withCloseButton: true, onClose: putAway, closeButtonLabel: "Dismiss" })}
    >
      <Text size="sm">{detail}</Text>
      <Group gap="sm" mt="xs">
        {retry && (
          <Button size="compact-sm" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
        {page && (
          <Anchor size="sm" c="inherit" underline="always" href={page}>
            What this error means
          </Anchor>
        )}
        {requestId && <RequestLink requestId={requestId} />}
      </Group>
    </Alert>
  );
}

/** The service error's message for one field of a form, found by its JSON pointer; undefined when the error does not concern the field. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!isPorchlightError(error)) return undefined;
  return error.problem?.errors?.find(({ pointer }) => pointer === `/${field}`)?.message;
}

/** A request ID that links to the request's entry in the request log. */
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
