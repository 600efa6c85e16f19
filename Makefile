# sandesk. `make run` sets up, builds and opens the TUI; `make test` sets up, builds and runs every test.
#
# Variables: V=1 shows commands; DEVELOPER=1 makes warnings errors; SAN=1 builds with ASan and UBSan into its own folder;
#            PREFIX, DESTDIR for install; T=path filters tests (T=term, T=e2e/survive).

PREFIX     ?= /usr/local
CC         ?= gcc
VERSION    := 0.1.0
PROGRAMS   := sandesk sandesk-daemon sandesk-keeper sandesk-worker
OUT        := $(if $(SAN),build/asan,build/out)
B          ?= $(OUT)
O          := $(B)/obj

# What is linked where. A folder's archive may use those named behind it; `make lint` checks the includes against the same
# ranks (tests/layers).
NEEDS_base  :=
NEEDS_loop  := loop base
NEEDS_term  := term base
NEEDS_pty   := pty base
NEEDS_jail  := jail base
NEEDS_wire  := wire loop base
NEEDS_store := store base
NEEDS_keeper := keeper wire term pty jail loop base
NEEDS_model := model store wire jail loop base
NEEDS_cmd   := cmd model store wire jail loop base
NEEDS_front := front cmd model store wire jail loop base

WARNINGS   := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wvla -Wformat=2 $(if $(DEVELOPER),-Werror)
HARDEN     := -fstack-protector-strong -fPIE $(if $(SAN),,-D_FORTIFY_SOURCE=2)
OPT        ?= $(if $(SAN),-O1 -fno-omit-frame-pointer -fsanitize=address$(comma)undefined -fno-sanitize-recover=all,-O2)
comma      := ,
CPPFLAGS   += -D_GNU_SOURCE -DSANDESK_VERSION='"$(VERSION)"' -Iinclude -Icore -Itui -I$(B)/gen
CFLAGS     += -std=gnu17 -g $(OPT) $(WARNINGS) $(HARDEN)
LDFLAGS    += -pie -Wl,-z,relro,-z,now,--as-needed,--gc-sections $(if $(SAN),-fsanitize=address$(comma)undefined)
# Libraries go in statically, libc does not: a program of ours starts in 0.4 ms instead of 0.7, and a keeper stays small.
static      = -Wl,-Bstatic $(1) -Wl,-Bdynamic
LIBS_sandesk        := $(call static,-lncursesw -ltinfo -ljansson -luv_a -linih)
LIBS_sandesk-daemon := $(call static,-ljansson -luv_a -linih) -lsqlite3
LIBS_sandesk-keeper := $(call static,-luv_a -lcap -lpcre2-8)
LIBS_sandesk-worker := $(call static,-luv_a)

src         = $(wildcard core/$(1)/*.c)
obj         = $(patsubst %.c,$(O)/%.o,$(1))
archives    = $(foreach f,$(1),$(O)/core/$(f).a)
TUI_SRC    := $(filter-out tui/main.c,$(wildcard tui/*.c tui/*/*.c))

.PHONY: bench-jail all deps deps-developer run test unit e2e jail-test redteam asan fuzz fuzz-long check lint format bench bench-term install uninstall clean man unit-programs jail-programs
.DEFAULT_GOAL := all
.SECONDARY:
.DELETE_ON_ERROR:
ifndef V
.SILENT:
endif

all: $(addprefix $(B)/,$(PROGRAMS)) $(if $(SAN),,$(PROGRAMS))

# The programs stand at the top of the tree for people, and in $(B) for tests.
$(PROGRAMS): %: $(B)/%
	ln -f $< $@ 2>/dev/null || cp -f $< $@

$(O)/%.o: %.c Makefile
	mkdir -p $(@D)
	echo "  CC    $<"
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

# A folder is one archive.
define FOLDER
$(O)/core/$(1).a: $$(call obj,$$(call src,$(1)))
	mkdir -p $$(@D)
	rm -f $$@
	$(AR) rcs $$@ $$^
endef
FOLDERS := base loop term pty jail wire store keeper model cmd front
$(foreach f,$(FOLDERS),$(eval $(call FOLDER,$(f))))

# The seccomp filters are generated at build time, so that the keeper carries no libseccomp: the jail's from core/jail/syscalls.h.
JAIL_FILTERS := $(addprefix $(B)/gen/jail/,filter filter-asks filter-strict filter-strict-asks)
$(addsuffix _gen,$(JAIL_FILTERS)) $(B)/gen/keeper/filter_gen $(B)/gen/keeper/filter-by-name_gen: \
		core/jail/gen/filter_gen.c core/jail/filter.h core/jail/syscalls.h core/keeper/syscalls.h Makefile
	mkdir -p $(@D)
	echo "  GEN   $@"
	$(CC) $(CPPFLAGS) -std=gnu17 -O1 $(WARNINGS) $(FILTER) -o $@ $< -lseccomp
$(addsuffix _gen,$(JAIL_FILTERS)): FILTER = -DFILTER_TABLE='"jail/syscalls.h"' $(if $(findstring strict,$(notdir $@)),-DFILTER_STRICT) \
	$(if $(findstring asks,$(notdir $@)),-DFILTER_ASKS)
# The keeper's own walls, from core/keeper/syscalls.h; by-name is for kernels before 6.11.
KEEPER_FILTER = -DFILTER_TABLE='"keeper/syscalls.h"' $(if $(SAN),-DFILTER_SANITIZED)
$(B)/gen/keeper/filter_gen: FILTER = $(KEEPER_FILTER)
$(B)/gen/keeper/filter-by-name_gen: FILTER = $(KEEPER_FILTER) -DFILTER_BY_NAME
$(B)/gen/%.inc: $(B)/gen/%_gen
	$< > $@
$(O)/core/jail/filter.o: $(addsuffix .inc,$(JAIL_FILTERS))
$(O)/core/keeper/harden.o: $(B)/gen/keeper/filter.inc $(B)/gen/keeper/filter-by-name.inc
# (end of the filter's rules)
$(O)/tui.a: $(call obj,$(TUI_SRC))
	mkdir -p $(@D)
	rm -f $@
	$(AR) rcs $@ $^

LINK = echo "  LINK  $@"; $(CC) $(CFLAGS) $(LDFLAGS) -o $@
$(B)/sandesk: $(call obj,tui/main.c) $(O)/tui.a $(call archives,cmd wire term loop base)
	$(LINK) $^ $(LIBS_sandesk)
$(B)/sandesk-daemon: $(call obj,core/main-daemon.c) $(call archives,$(NEEDS_front))
	$(LINK) $^ $(LIBS_sandesk-daemon)
$(B)/sandesk-keeper: $(call obj,core/main-keeper.c) $(call archives,$(NEEDS_keeper))
	$(LINK) $^ $(LIBS_sandesk-keeper)
$(B)/sandesk-worker: $(call obj,core/main-worker.c) $(call archives,$(NEEDS_wire))
	$(LINK) $^ $(LIBS_sandesk-worker)

# Unit tests: tests/unit/FOLDER/x_test.c is one program, linked with what FOLDER may use.
UNIT_SRC  := $(wildcard tests/unit/*/*_test.c)
UNIT_BIN  := $(patsubst tests/unit/%.c,$(B)/unit/%,$(UNIT_SRC))
LIBS_unit_loop := -luv
LIBS_unit_wire := -luv -ljansson
LIBS_unit_jail := -lcap -lseccomp
LIBS_unit_store := -lsqlite3
LIBS_unit_keeper := -luv -lcap -lpcre2-8
LIBS_unit_model := -luv -lsqlite3 -ljansson -linih
LIBS_unit_cmd := -luv -lsqlite3 -ljansson -linih
LIBS_unit_front := -luv -lsqlite3 -ljansson -linih
define UNIT
$(B)/unit/$(1)/%_test: $(O)/tests/unit/$(1)/%_test.o $$(call archives,$(NEEDS_$(1)))
	mkdir -p $$(@D)
	$$(LINK) $$^ -lcmocka $$(LIBS_unit_$(1))
endef
NEEDS_base := base
$(foreach f,$(FOLDERS),$(eval $(call UNIT,$(f))))
$(B)/unit/tui/%_test: $(O)/tests/unit/tui/%_test.o $(O)/tui.a $(call archives,cmd wire term loop base)
	mkdir -p $(@D)
	$(LINK) $^ -lcmocka -lncursesw -ltinfo -ljansson -luv -linih

# Programs that run inside a sandbox in tests, and the tests that look from outside.
JAIL_BIN   := $(patsubst tests/jail/%_test.c,$(B)/jail/%_test,$(wildcard tests/jail/*_test.c))
$(B)/jail/%_test: $(O)/tests/jail/%_test.o $(call archives,keeper term wire loop jail pty base)
	mkdir -p $(@D)
	$(LINK) $^ -lcmocka -lcap
$(B)/jail/probe $(B)/jail/attempt: $(B)/jail/%: tests/jail/%.c
	mkdir -p $(@D)
	echo "  CC    $@"
	$(CC) -D_GNU_SOURCE -std=gnu17 -O1 $(WARNINGS) -static -o $@ $<

unit-programs: $(UNIT_BIN)
jail-programs: $(JAIL_BIN) $(if $(JAIL_BIN),$(B)/jail/probe $(B)/jail/attempt)

# tests/run runs what it is given, counts, and ends with "N passed, N failed, N skipped".
RUN = BUILD=$(abspath $(B)) tests/run
test: deps
	$(MAKE) --no-print-directory -j$(shell nproc) all unit-programs jail-programs
	$(RUN) $(T)
unit: unit-programs
	$(RUN) unit
e2e: all
	$(RUN) e2e
jail-test: jail-programs
	$(RUN) jail
# Each attempt bare, in both profiles, and in the sandboxes of others that are installed, as a table.
redteam: jail-programs
	$(B)/jail/redteam_test table
asan: deps
	$(MAKE) --no-print-directory SAN=1 -j$(shell nproc) all unit-programs jail-programs
	BUILD=$(abspath build/asan) tests/run $(T)

# Fuzzing: clang's libFuzzer on what reads hostile bytes. FUZZ_SECONDS for each target.
FUZZ_SECONDS ?= 15
FUZZ_NAMES := $(patsubst tests/fuzz/%_fuzz.c,%,$(wildcard tests/fuzz/*_fuzz.c))
FUZZ_SRC   := $(wildcard core/base/*.c core/term/*.c core/wire/msg.c core/cmd/args*.c core/cmd/registry.c tui/input/decode*.c)
fuzz: deps-developer
	$(MAKE) --no-print-directory -j$(shell nproc) $(addprefix build/fuzz/,$(FUZZ_NAMES))
	for n in $(FUZZ_NAMES); do tests/fuzz/run build/fuzz/$$n $(FUZZ_SECONDS) || exit 1; done
# An hour for all of them together; the first fault ends it.
fuzz-long:
	$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=$$((3600 / $(words $(FUZZ_NAMES))))
build/fuzz/%: tests/fuzz/%_fuzz.c $(FUZZ_SRC)
	mkdir -p $(@D)
	echo "  FUZZ  $@"
	clang $(CPPFLAGS) -std=gnu17 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -o $@ $^ -ljansson

# The manual page and the completions are made from the command table and checked in; a test compares them.
man: $(B)/sandesk
	$< help --man >man/sandesk.1.new && mv man/sandesk.1.new man/sandesk.1
	$< help --completion bash >completions/sandesk.bash
	$< help --completion zsh >completions/_sandesk
	$< help --completion fish >completions/sandesk.fish

lint:
	tests/lint
check: deps
	$(MAKE) --no-print-directory lint
	$(MAKE) --no-print-directory test
	$(MAKE) --no-print-directory asan
	$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=$$((60 / $(words $(FUZZ_NAMES))))
format:
	clang-format -i $$(git ls-files '*.c' '*.h')

bench: all $(addprefix $(B)/bench/,floor stamp spawn outer relay pane)
	BUILD=$(abspath $(B)) tests/bench/run
# The terminal core beside Debian's, where their -dev packages are installed, and the product under floods.
BENCH_CORES := ours_core $(if $(wildcard /usr/include/vterm.h),vterm_core) $(if $(wildcard /usr/include/libtsm.h),tsm_core)
bench-term: all $(addprefix $(B)/bench/,floor stamp spawn outer relay pane $(BENCH_CORES))
	BENCH_FULL=1 BUILD=$(abspath $(B)) tests/bench/run core throughput floods
# What a sandbox costs, alone and in hundreds, beside the bare floor, bubblewrap and what else is installed.
bench-jail: all $(addprefix $(B)/bench/,floor stamp spawn outer relay pane crowd start_bench)
	BUILD=$(abspath $(B)) tests/bench/run provision inside crowd
$(B)/bench/start_bench: $(O)/tests/bench/start_bench.o $(call archives,jail base)
	mkdir -p $(@D)
	$(LINK) $^ -lcap
$(B)/bench/ours_core: $(call archives,term base)
LIBS_vterm_core := -lvterm
LIBS_tsm_core := -ltsm
$(B)/bench/%_core: tests/bench/%_core.c tests/bench/core.h
	mkdir -p $(@D)
	echo "  LINK  $@"
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $(filter-out %.h,$^) $(LIBS_$*_core)
# The stamp brings its own entry point: no libc may stand between execve and the clock. No vectors: there is no aligned stack yet.
$(B)/bench/stamp: WARNINGS += -nostdlib -ffreestanding -fno-stack-protector -mgeneral-regs-only
$(B)/bench/%: tests/bench/%.c
	mkdir -p $(@D)
	echo "  CC    $@"
	$(CC) -D_GNU_SOURCE -std=gnu17 -O2 $(WARNINGS) -static -o $@ $<

# Packages of Debian 12; the reasons stand in CONTRIBUTING.md. `deps` installs those that are missing.
PACKAGES   := gcc make pkg-config libc6-dev libncurses-dev libseccomp-dev libcap-dev libsqlite3-dev libuv1-dev \
	      libjansson-dev libinih-dev libpcre2-dev libcmocka-dev bats tmux ncurses-term vttest python3 procps git
PACKAGES_DEVELOPER := clang clang-format libclang-rt-14-dev
deps:
	tests/deps $(PACKAGES)
deps-developer: deps
	tests/deps $(PACKAGES_DEVELOPER)

run: deps
	$(MAKE) --no-print-directory -j$(shell nproc) all
	./sandesk

DEST        = $(DESTDIR)$(PREFIX)
install: all
	install -d $(DEST)/bin $(DEST)/libexec/sandesk $(DEST)/share/man/man1 $(DEST)/share/sandesk/themes \
		$(DEST)/share/bash-completion/completions $(DEST)/share/zsh/site-functions $(DEST)/share/fish/vendor_completions.d
	install $(B)/sandesk $(DEST)/bin/sandesk
	install $(addprefix $(B)/,sandesk-daemon sandesk-keeper sandesk-worker) $(DEST)/libexec/sandesk
	install -m 644 man/sandesk.1 $(DEST)/share/man/man1/sandesk.1
	install -m 644 themes/*.theme $(DEST)/share/sandesk/themes
	install -m 644 completions/sandesk.bash $(DEST)/share/bash-completion/completions/sandesk
	install -m 644 completions/_sandesk $(DEST)/share/zsh/site-functions/_sandesk
	install -m 644 completions/sandesk.fish $(DEST)/share/fish/vendor_completions.d/sandesk.fish
uninstall:
	rm -f $(DEST)/bin/sandesk $(DEST)/share/man/man1/sandesk.1
	rm -rf $(DEST)/libexec/sandesk $(DEST)/share/sandesk
	rm -f $(DEST)/share/bash-completion/completions/sandesk $(DEST)/share/zsh/site-functions/_sandesk
	rm -f $(DEST)/share/fish/vendor_completions.d/sandesk.fish

-include $(shell find $(O) -name '*.d' 2>/dev/null)

clean:
	rm -rf build $(PROGRAMS)
