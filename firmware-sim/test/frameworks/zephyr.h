/* As much of Zephyr as the sample uses, over stdin and stdout: so that it runs on a desk. The interrupt comes while the loop sleeps. */
#ifndef STAND_IN_ZEPHYR
#define STAND_IN_ZEPHYR
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define ARG_UNUSED(name) (void)(name)

struct device {
  bool is_enabled;
  void (*on_event)(const struct device *, void *);
};
static struct device stand_in_uart;
#define DT_CHOSEN(name) name
#define DT_ALIAS(name) name
#define DEVICE_DT_GET(node) (&stand_in_uart)
static inline bool device_is_ready(const struct device *line) { return line == &stand_in_uart; }

struct gpio_dt_spec {
  int pin;
};
enum { GPIO_OUTPUT_INACTIVE = 1, GPIO_INPUT = 2 };
#define GPIO_DT_SPEC_GET(node, property) {1}
static inline bool gpio_is_ready_dt(const struct gpio_dt_spec *it) { return it->pin == 1; }
static inline int gpio_pin_configure_dt(const struct gpio_dt_spec *it, int flags) { return (void)it, (void)flags, 0; }
static inline int gpio_pin_set_dt(const struct gpio_dt_spec *it, int value) { return (void)it, (void)value, 0; }
static inline int gpio_pin_get_dt(const struct gpio_dt_spec *it) { return (void)it, 0; }

static inline uint32_t k_uptime_get_32(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint32_t)(now.tv_sec * 1000 + now.tv_nsec / 1000000);
}
static inline uint32_t sys_rand32_get(void) { return k_uptime_get_32() * 2654435761u ^ (uint32_t)getpid(); }
static inline ssize_t hwinfo_get_device_id(uint8_t *id, size_t length) { return (void)length, id[0] = 7, id[1] = 9, 2; }

struct ring_buf {
  uint8_t *bytes;
  uint32_t size, from, to;
};
#define RING_BUF_DECLARE(name, length) \
  static uint8_t name##_bytes[length]; \
  static struct ring_buf name = {name##_bytes, (length), 0, 0}
static inline uint32_t ring_buf_put(struct ring_buf *it, const uint8_t *bytes, uint32_t count) {
  uint32_t at = 0;
  for (; at < count && it->to - it->from < it->size; at++) it->bytes[it->to++ % it->size] = bytes[at];
  return at;
}
static inline uint32_t ring_buf_get(struct ring_buf *it, uint8_t *bytes, uint32_t count) {
  uint32_t at = 0;
  for (; at < count && it->from != it->to; at++) bytes[at] = it->bytes[it->from++ % it->size];
  return at;
}

static inline bool stand_in_has_input(int ms) {
  struct pollfd input = {STDIN_FILENO, POLLIN, 0};
  return poll(&input, 1, ms) == 1;
}
static inline int uart_irq_callback_user_data_set(const struct device *line, void (*on_event)(const struct device *, void *), void *context) {
  (void)line, (void)context;
  stand_in_uart.on_event = on_event;
  return 0;
}
static inline void uart_irq_rx_enable(const struct device *line) { (void)line, stand_in_uart.is_enabled = true; }
static inline int uart_irq_update(const struct device *line) { return (void)line, 1; }
static bool stand_in_is_ready;
static inline int uart_irq_rx_ready(const struct device *line) { return (void)line, stand_in_is_ready; }
static inline int uart_fifo_read(const struct device *line, uint8_t *bytes, int length) {
  (void)line;
  ssize_t const count = read(STDIN_FILENO, bytes, (size_t)length);
  if (count <= 0) exit(0);
  /* One filling of the hardware's buffer for each interrupt: the loop runs in between, as it does on a board. */
  stand_in_is_ready = false;
  return (int)count;
}
static inline void uart_poll_out(const struct device *line, unsigned char byte) {
  (void)line;
  if (write(STDOUT_FILENO, &byte, 1) != 1) exit(0);
}
static inline int k_msleep(int ms) {
  if (!stand_in_uart.is_enabled || !stand_in_has_input(ms)) return 0;
  stand_in_is_ready = true;
  stand_in_uart.on_event(&stand_in_uart, NULL);
  return 0;
}
#endif
