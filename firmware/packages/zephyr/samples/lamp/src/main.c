/*
 * A lamp on a Zephyr board: its LED (alias led0), its button (alias sw0), and a hub on the line that the shell would have.
 *
 *   west build -b BOARD samples/lamp -- -DZEPHYR_EXTRA_MODULES=PATH_OF_THIS_MODULE
 *   porchlight-agent run … --serial /dev/ttyACM0
 *
 * The edgeId is made of the number of the chip; a product has an EUI-48 of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <zephyr/device.h>
#include <zephyr/drivers/gpio.h>
#include <zephyr/drivers/hwinfo.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/kernel.h>
#include <zephyr/random/random.h>
#include <zephyr/sys/ring_buffer.h>

#include "porchlight.h"

static const struct device *const hub_uart = DEVICE_DT_GET(DT_CHOSEN(zephyr_shell_uart));
static const struct gpio_dt_spec led = GPIO_DT_SPEC_GET(DT_ALIAS(led0), gpios);
static const struct gpio_dt_spec push_button = GPIO_DT_SPEC_GET(DT_ALIAS(sw0), gpios);
/* From the interrupt to the loop: what comes in some tens of milliseconds. */
RING_BUF_DECLARE(arrived, 512);

static const pl_property switch_properties[] = {PL_STANDARD("on", PL_BOOLEAN, PL_READ | PL_WRITE | PL_NOTIFY)};
static const pl_property button_properties[] = {PL_STANDARD("event", PL_TEXT, PL_NOTIFY)};
enum { SWITCH, BUTTON };
static const pl_service services[] = {{"Switch", 0, switch_properties, 1}, {"Button", 0, button_properties, 1}};
static const pl_about about = {"Porchlight", "Zephyr lamp", "1.0.0", NULL, NULL};

static char edge_id[18];
static bool is_on;
static uint32_t blinks_until;
static pl_node node;

static void show(void) {
  bool const is_blinking = (int32_t)(blinks_until - k_uptime_get_32()) > 0;
  (void)gpio_pin_set_dt(&led, is_blinking ? (k_uptime_get_32() / 250) % 2 == 0 : is_on);
}

static uint8_t read_lamp(void *context, pl_address address, pl_value *value) {
  ARG_UNUSED(context);
  ARG_UNUSED(address);
  value->type = PL_BOOLEAN;
  value->as.boolean = is_on;
  return PL_OK;
}

static uint8_t write_lamp(void *context, pl_address address, pl_value *value) {
  is_on = value->as.boolean;
  show();
  return read_lamp(context, address, value);
}

static uint8_t identify_lamp(void *context, uint8_t place, uint32_t seconds) {
  ARG_UNUSED(context);
  ARG_UNUSED(place);
  blinks_until = k_uptime_get_32() + seconds * 1000;
  show();
  return PL_OK;
}

/* Locally administered (02), and of all bytes of the chip's number. */
static void name_it(void) {
  uint8_t id[16] = {0};
  uint32_t hash = 2166136261u;
  ssize_t const length = hwinfo_get_device_id(id, sizeof id);
  for (ssize_t at = 0; at < length; at++) hash = (hash ^ id[at]) * 16777619u;
  snprintf(edge_id, sizeof edge_id, "02-50-%02X-%02X-%02X-%02X", (unsigned)(hash >> 24) & 0xFFu, (unsigned)(hash >> 16) & 0xFFu,
           (unsigned)(hash >> 8) & 0xFFu, (unsigned)hash & 0xFFu);
}

static void on_uart(const struct device *line, void *context) {
  uint8_t bytes[16];
  ARG_UNUSED(context);
  while (uart_irq_update(line) && uart_irq_rx_ready(line)) {
    int const count = uart_fifo_read(line, bytes, sizeof bytes);
    if (count <= 0) return;
    /* What does not fit is lost, as on any line that nobody reads: the hub asks again. */
    (void)ring_buf_put(&arrived, bytes, (uint32_t)count);
  }
}

static void send_all(void) {
  uint8_t byte;
  while (pl_transmit(&node, &byte, 1) == 1) uart_poll_out(hub_uart, byte);
}

static void look_at_button(void) {
  static const pl_value press = {PL_TEXT, {.text = {"press", 5}}};
  static bool was_down;
  static uint32_t changed_at;
  pl_address const button = {0, BUTTON, 0}, on = {0, SWITCH, 0};
  bool const is_down = gpio_pin_get_dt(&push_button) == 1;
  /* A contact bounces for some milliseconds. */
  if (is_down == was_down || k_uptime_get_32() - changed_at < 30) return;
  was_down = is_down;
  changed_at = k_uptime_get_32();
  if (!is_down) return;
  pl_event(&node, button, &press);
  is_on = !is_on;
  pl_changed(&node, on);
}

int main(void) {
  static const pl_driver driver = {read_lamp, write_lamp, identify_lamp};
  static pl_device device;
  static pl_config config;
  if (!device_is_ready(hub_uart) || !gpio_is_ready_dt(&led) || !gpio_is_ready_dt(&push_button)) return 1;
  (void)gpio_pin_configure_dt(&led, GPIO_OUTPUT_INACTIVE);
  (void)gpio_pin_configure_dt(&push_button, GPIO_INPUT);
  name_it();
  device = (pl_device){edge_id, services, 2, &about};
  /* 0 would say that it cannot tell its boots apart. */
  config = (pl_config){edge_id, &about, &device, 1, sys_rand32_get() | 1u, &driver, NULL};
  if (pl_start(&node, &config, (uint16_t)config.boot, k_uptime_get_32()) != PL_STARTED) return 2;
  (void)uart_irq_callback_user_data_set(hub_uart, on_uart, NULL);
  uart_irq_rx_enable(hub_uart);
  for (uint8_t bytes[64];;) {
    uint32_t const held = ring_buf_get(&arrived, bytes, sizeof bytes);
    for (uint32_t taken = 0; taken < held;) {
      taken += (uint32_t)pl_receive(&node, bytes + taken, held - taken, k_uptime_get_32());
      send_all();
    }
    look_at_button();
    pl_tick(&node, k_uptime_get_32());
    send_all();
    show();
    if (held == 0) k_msleep(5);
  }
}
