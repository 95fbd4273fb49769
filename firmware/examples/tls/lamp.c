/*
 * A lamp on the network, with TLS and a pre-shared key (L3): porchlight.c over Mbed TLS (2.28 or 3), on a desktop.
 *
 *   cc -std=c99 -I firmware -o lamp firmware/examples/tls/lamp.c firmware/porchlight.c -lmbedtls -lmbedx509 -lmbedcrypto
 *   ./lamp --port 7300 --psk HEX          prints `port 7300`; 0 is any free port
 *   porchlight-sim conform --tcp 127.0.0.1:7300 --psk HEX --id 02-50-4C-00-0C-02
 *
 * What a product has beside this: a key of its own for each unit, and an announcement by mDNS (L2). On a desktop:
 *   avahi-publish -s lamp _porchlight._tcp 7300 v=1 id=02-50-4C-00-0C-02 mo=Lamp tls=psk
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200112L
#include <arpa/inet.h>
#include <mbedtls/ctr_drbg.h>
#include <mbedtls/entropy.h>
#include <mbedtls/net_sockets.h>
#include <mbedtls/ssl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "porchlight.h"

static const pl_property switch_properties[] = {PL_STANDARD("on", PL_BOOLEAN, PL_READ | PL_WRITE | PL_NOTIFY)};
static const pl_property level_properties[] = {
    PL_STANDARD_RANGE("level", PL_NUMBER, PL_READ | PL_WRITE | PL_NOTIFY, 0, 100)};
enum { SWITCH, LEVEL };
static const pl_service services[] = {{"Switch", 0, switch_properties, 1}, {"LightLevel", 0, level_properties, 1}};
static const pl_about about = {"Porchlight", "Network lamp", "1.0.0", NULL, NULL};

static const char *edge_id = "02-50-4C-00-0C-02";
static bool is_on;
static double level = 100;
static pl_node node;

static uint8_t read_lamp(void *context, pl_address address, pl_value *value) {
  (void)context;
  value->type = address.service == SWITCH ? PL_BOOLEAN : PL_NUMBER;
  if (address.service == SWITCH) value->as.boolean = is_on;
  else value->as.number = level;
  return PL_OK;
}

static uint8_t write_lamp(void *context, pl_address address, pl_value *value) {
  if (address.service == SWITCH) is_on = value->as.boolean;
  else level = value->as.number;
  return read_lamp(context, address, value);
}

static uint8_t identify_lamp(void *context, uint8_t place, uint32_t seconds) {
  (void)context;
  (void)place;
  (void)seconds;
  return PL_OK;
}

static uint32_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint32_t)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}

/* ---- Connections: the one that is served, and a newer one that takes over with its first valid frame (L5) ---- */

/* A newer connection that says nothing valid for so long is closed, ms. */
#define PATIENCE 10000u

typedef struct {
  bool is_open, is_greeted;
  uint32_t opened_at;
  mbedtls_net_context socket;
  mbedtls_ssl_context ssl;
  /* What has arrived and is not taken yet: at most a frame and its escapes. */
  uint8_t in[2 * PL_FRAME_MAX + 2], out[256];
  size_t held, leaving;
} connection;

static mbedtls_ssl_config tls;
static connection connections[2];
static connection *served = &connections[0], *newer = &connections[1];

static void close_connection(connection *it) {
  if (!it->is_open) return;
  mbedtls_ssl_free(&it->ssl);
  mbedtls_net_free(&it->socket);
  it->is_open = false;
}

static void accept_connection(mbedtls_net_context *door) {
  mbedtls_net_context socket;
  mbedtls_net_init(&socket);
  if (mbedtls_net_accept(door, &socket, NULL, 0, NULL) != 0) return;
  connection *const it = newer;
  close_connection(it);
  memset(it, 0, sizeof *it);
  it->socket = socket;
  it->is_open = true;
  it->opened_at = milliseconds();
  mbedtls_ssl_init(&it->ssl);
  if (mbedtls_net_set_nonblock(&it->socket) != 0 || mbedtls_ssl_setup(&it->ssl, &tls) != 0) {
    close_connection(it);
    return;
  }
  mbedtls_ssl_set_bio(&it->ssl, &it->socket, mbedtls_net_send, mbedtls_net_recv, NULL);
}

static bool is_waiting(int result) { return result == MBEDTLS_ERR_SSL_WANT_READ || result == MBEDTLS_ERR_SSL_WANT_WRITE; }

/* Goes on with the handshake, then takes what has arrived, as far as there is room. Gives whether anything came. */
static bool receive(connection *it) {
  if (!it->is_open) return false;
  if (!it->is_greeted) {
    int const result = mbedtls_ssl_handshake(&it->ssl);
    if (result != 0 && !is_waiting(result)) close_connection(it);
    it->is_greeted = result == 0;
    if (!it->is_greeted) return false;
  }
  /* While the line takes no more, nothing is taken from it either. */
  if (it->leaving > 0 || it->held == sizeof it->in) return false;
  int const count = mbedtls_ssl_read(&it->ssl, it->in + it->held, sizeof it->in - it->held);
  if (count > 0) it->held += (size_t)count;
  else if (!is_waiting(count)) close_connection(it);
  return count > 0;
}

/* Whether bytes hold a frame with a good CRC: between two ENDs, unescaped (F1 to F6). */
static bool holds_frame(const uint8_t *bytes, size_t length) {
  uint16_t crc = 0xFFFF;
  size_t count = 0;
  bool is_escaped = false;
  for (size_t at = 0; at < length; at++) {
    if (bytes[at] == 0xC0) {
      /* The CRC of a body with its CRC behind it is 0. */
      if (count >= 3 && crc == 0 && !is_escaped) return true;
      crc = 0xFFFF;
      count = 0;
      is_escaped = false;
      continue;
    }
    uint8_t byte = bytes[at];
    if (is_escaped) byte = byte == 0xDC ? 0xC0 : 0xDB;
    else if (byte == 0xDB) {
      is_escaped = true;
      continue;
    }
    is_escaped = false;
    count++;
    crc = (uint16_t)(crc ^ (uint16_t)(byte << 8));
    for (int bit = 0; bit < 8; bit++) crc = (uint16_t)(crc & 0x8000u ? (uint16_t)(crc << 1) ^ 0x1021u : (uint16_t)(crc << 1));
  }
  return false;
}

/* The newer connection takes over when it has said something, or when nobody else is there. */
static void take_over(void) {
  connection *const before = served;
  if (!newer->is_open) return;
  if (newer->is_greeted && (!served->is_open || holds_frame(newer->in, newer->held))) {
    close_connection(before);
    served = newer;
    newer = before;
    pl_reconnected(&node, milliseconds());
  } else if (newer->held == sizeof newer->in || milliseconds() - newer->opened_at > PATIENCE) close_connection(newer);
}

/* Sends what the node has to say. False while the line takes no more. */
static bool send_all(connection *it) {
  for (;;) {
    if (it->leaving == 0) it->leaving = pl_transmit(&node, it->out, sizeof it->out);
    if (it->leaving == 0) return true;
    int const count = mbedtls_ssl_write(&it->ssl, it->out, it->leaving);
    if (is_waiting(count)) return false;
    if (count <= 0) {
      close_connection(it);
      return false;
    }
    it->leaving -= (size_t)count;
    memmove(it->out, it->out + count, it->leaving);
  }
}

static void serve(connection *it) {
  if (!it->is_open || !it->is_greeted) return;
  size_t taken = 0;
  while (send_all(it) && taken < it->held) taken += pl_receive(&node, it->in + taken, it->held - taken, milliseconds());
  it->held -= taken;
  memmove(it->in, it->in + taken, it->held);
  if (!it->is_open) return;
  pl_tick(&node, milliseconds());
  (void)send_all(it);
}

static size_t key_of(const char *hex, uint8_t *key, size_t room) {
  size_t const length = strlen(hex) / 2;
  if (strlen(hex) % 2 != 0 || length < 16 || length > room) return 0;
  for (size_t at = 0; at < length; at++) {
    unsigned byte;
    if (sscanf(hex + 2 * at, "%2x", &byte) != 1) return 0;
    key[at] = (uint8_t)byte;
  }
  return length;
}

static int fail(const char *what) { return fprintf(stderr, "lamp: %s\n", what), 1; }

int main(int count, char **words) {
  static const int suites[] = {MBEDTLS_TLS_PSK_WITH_AES_128_GCM_SHA256, 0};
  const char *port = "7300";
  uint8_t key[64];
  size_t key_length = 0;
  for (int each = 1; each + 1 < count; each += 2) {
    if (strcmp(words[each], "--port") == 0) port = words[each + 1];
    else if (strcmp(words[each], "--id") == 0) edge_id = words[each + 1];
    else if (strcmp(words[each], "--psk") == 0) key_length = key_of(words[each + 1], key, sizeof key);
  }
  if (key_length == 0) return fail("usage: lamp --psk HEX [--port PORT] [--id EDGEID]; the key has 16 to 64 bytes");
  signal(SIGPIPE, SIG_IGN);

  mbedtls_entropy_context entropy;
  mbedtls_ctr_drbg_context random;
  mbedtls_entropy_init(&entropy);
  mbedtls_ctr_drbg_init(&random);
  mbedtls_ssl_config_init(&tls);
  uint32_t boot = 0;
  if (mbedtls_ctr_drbg_seed(&random, mbedtls_entropy_func, &entropy, NULL, 0) != 0 ||
      mbedtls_ctr_drbg_random(&random, (unsigned char *)&boot, sizeof boot) != 0 ||
      mbedtls_ssl_config_defaults(&tls, MBEDTLS_SSL_IS_SERVER, MBEDTLS_SSL_TRANSPORT_STREAM, MBEDTLS_SSL_PRESET_DEFAULT) != 0 ||
      mbedtls_ssl_conf_psk(&tls, key, key_length, (const unsigned char *)edge_id, strlen(edge_id)) != 0)
    return fail("TLS cannot be set up");
  mbedtls_ssl_conf_rng(&tls, mbedtls_ctr_drbg_random, &random);
  mbedtls_ssl_conf_ciphersuites(&tls, suites);

  static const pl_driver driver = {read_lamp, write_lamp, identify_lamp};
  pl_device const device = {edge_id, services, 2, &about};
  pl_config const config = {edge_id, &about, &device, 1, boot | 1u, &driver, NULL};
  if (pl_start(&node, &config, (uint16_t)boot, milliseconds()) != PL_STARTED) return fail("its tables are wrong");

  mbedtls_net_context door;
  mbedtls_net_init(&door);
  if (mbedtls_net_bind(&door, "127.0.0.1", port, MBEDTLS_NET_PROTO_TCP) != 0) return fail("the port cannot be opened");
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  if (getsockname(door.fd, (struct sockaddr *)&address, &length) != 0 || mbedtls_net_set_nonblock(&door) != 0) return fail("no port");
  printf("port %u\n", (unsigned)ntohs(address.sin_port));
  fflush(stdout);

  for (;;) {
    struct pollfd watched[3] = {{door.fd, POLLIN, 0}, {-1, POLLIN, 0}, {-1, POLLIN, 0}};
    if (served->is_open) watched[1].fd = served->socket.fd;
    if (served->leaving > 0) watched[1].events = POLLOUT;
    if (newer->is_open) watched[2].fd = newer->socket.fd;
    poll(watched, 3, 20);
    if (watched[0].revents) accept_connection(&door);
    /* All that has arrived, also what TLS has read and not handed on yet. */
    bool is_more;
    do {
      is_more = receive(served);
      is_more = receive(newer) || is_more;
      take_over();
      serve(served);
    } while (is_more);
  }
}
