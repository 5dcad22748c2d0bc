// The page's one script: points and details, filters, the table of every setting, sorting, copying.
// It reads the data that stands in the page, writes text and never markup, and asks nothing of a network.
(() => {
  "use strict";
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const make = (tag, text, attributes = {}) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const say = (text) => { document.getElementById("said").textContent = text; };
  const VERDICTS = [["✗ misses the RTO", "no-word"], ["✓ meets the RTO", "yes-word"], ["? open", "open-word"]];
  // Places in a row of the data.
  const POINT = 0, TRIGGER = 1, PATIENCE = 2, RATE = 3, RATE_TEXT = 4, DELAY = 5, DELAY_TEXT = 6, TARGETS = 8;
  // Places in a target's part of a row.
  const RECOVERY = 0, RECOVERY_TEXT = 1, MET = 2, MET_TEXT = 3, VERDICT = 4;
  const ROWS_AT_FIRST = 20, ROWS_MORE = 500;

  // ---- Copying ----
  const cell = (text) => {
    // A spreadsheet must not take a name for a formula.
    const spaced = text.replaceAll("\u00a0", " ");
    const plain = /^[=+@\t\r]/.test(spaced) ? "'" + spaced : spaced;
    return /[",\n\r]/.test(plain) ? '"' + plain.replaceAll('"', '""') + '"' : plain;
  };
  const copy = async (rows) => {
    const text = rows.map((row) => row.map(cell).join(",")).join("\n") + "\n";
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    say(`Copied ${rows.length - 1} rows as CSV.`);
    return text;
  };
  const tableRows = (table) => all("tr", table).map((row) =>
    [...row.cells].filter((one) => !one.classList.contains("strip")).map((one) => one.textContent.trim()));
  for (const button of all(".copy")) {
    button.addEventListener("click", () => copy(tableRows(document.getElementById(button.dataset.table))));
  }

  // ---- Sorting ----
  const compare = (a, b) => (typeof a === "number" && typeof b === "number")
    ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  const turn = (heading) => {
    const order = heading.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    for (const other of heading.parentElement.cells) {
      if (other.hasAttribute("aria-sort")) other.setAttribute("aria-sort", "none");
    }
    heading.setAttribute("aria-sort", order);
    say(`Sorted by ${heading.textContent.trim()}, ${order}.`);
    return order === "ascending" ? 1 : -1;
  };
  for (const table of all("table.sortable")) {
    for (const heading of all("th[aria-sort]", table)) {
      heading.querySelector("button").addEventListener("click", () => {
        const sign = turn(heading), column = heading.cellIndex, body = table.tBodies[0];
        const key = (row) => {
          const one = row.cells[column];
          return one.dataset.sort === undefined ? one.textContent.trim() : Number(one.dataset.sort);
        };
        const rows = [...body.rows].map((row) => [key(row), row]);
        rows.sort((a, b) => sign * compare(a[0], b[0]));
        body.append(...rows.map((pair) => pair[1]));
      });
    }
  }

  // ---- One folder of results ----
  const study = (article) => {
    const data = JSON.parse(document.getElementById(article.dataset.study + "-data").textContent);
    const plot = document.getElementById(article.dataset.study + "-plot");
    const state = { target: null, filter: [...data.filter], shown: ROWS_AT_FIRST, sort: null };
    const passes = (point) => state.filter.every((value, column) => value === null || data.points[point][column] === value);
    const where = (point) => data.columns.map((column, index) => `${column.label} ${column.values[data.points[point][index]]}`).join(", ");
    const dots = all(".pt", plot).map((element) => {
      const use = element.querySelector("use");
      const row = data.rows[Number(element.dataset.i)];
      return { element, row, x: parseFloat(use.getAttribute("x")), y: parseFloat(use.getAttribute("y")), on: true };
    });
    let current = null;

    const detail = article.querySelector(".detail");
    const describe = (dot) => {
      const row = dot.row;
      const list = make("dl", undefined, { class: "facts" });
      const put = (term, text, verdict) => {
        const line = make("div"), value = make("dd", text);
        if (verdict) value.append(make("br"), make("span", verdict[0], { class: verdict[1] }));
        line.append(make("dt", term), value);
        list.append(line);
      };
      put("Patience", `${row[PATIENCE]} s`);
      put("False failovers a day", row[RATE_TEXT]);
      put("Detection, mean", `${row[DELAY_TEXT]} s`);
      row[TARGETS].forEach((target, index) => {
        if (state.target !== null && state.target !== index) return;
        put(`Recovery, ${data.targets[index]}`, `${target[RECOVERY_TEXT]}; RTO met ${target[MET_TEXT]}`, VERDICTS[target[VERDICT]]);
      });
      detail.replaceChildren(make("h3", row[TRIGGER]), make("p", where(row[POINT]), { class: "where" }), list);
    };
    const show = (dot) => {
      if (dot === current) return;
      current = dot;
      const ring = plot.querySelector(".ring"), cross = all(".cross", plot);
      ring.setAttribute("cx", dot.x + "%");
      ring.setAttribute("cy", dot.y + "%");
      cross[0].setAttribute("x1", dot.x + "%");
      cross[0].setAttribute("x2", dot.x + "%");
      cross[1].setAttribute("y1", dot.y + "%");
      cross[1].setAttribute("y2", dot.y + "%");
      plot.classList.add("active");
      for (const other of dots) other.element.setAttribute("tabindex", other === dot ? "0" : "-1");
      describe(dot);
    };
    const nearest = (event) => {
      const box = plot.getBoundingClientRect();
      let best = null, least = 32 * 32;
      for (const dot of dots) {
        if (!dot.on) continue;
        const across = box.left + box.width * dot.x / 100 - event.clientX;
        const down = box.top + box.height * dot.y / 100 - event.clientY;
        const distance = across * across + down * down;
        if (distance < least) { least = distance; best = dot; }
      }
      return best;
    };
    for (const kind of ["pointermove", "pointerdown"]) {
      plot.addEventListener(kind, (event) => { const dot = nearest(event); if (dot) show(dot); });
    }
    plot.addEventListener("focusin", (event) => {
      const dot = dots.find((one) => one.element === event.target);
      if (dot) show(dot);
    });
    plot.addEventListener("keydown", (event) => {
      const seen = dots.filter((dot) => dot.on);
      const here = seen.findIndex((dot) => dot.element === document.activeElement);
      if (here < 0) return;
      const series = seen.filter((dot) => dot.row[POINT] === seen[here].row[POINT]);
      const twins = seen.filter((dot) => dot.row[TRIGGER] === seen[here].row[TRIGGER]);
      const step = (list, by) => list[Math.min(list.length - 1, Math.max(0, list.indexOf(seen[here]) + by))];
      const next = {
        ArrowRight: () => step(series, 1), ArrowLeft: () => step(series, -1),
        ArrowDown: () => step(twins, 1), ArrowUp: () => step(twins, -1),
        Home: () => series[0], End: () => series[series.length - 1],
      }[event.key];
      if (!next) return;
      event.preventDefault();
      const dot = next();
      show(dot);
      dot.element.focus();
    });

    // ---- The table of every setting ----
    const place = article.querySelector(".all-cells");
    const columns = () => {
      const axes = data.columns.map((column, index) => ({
        label: column.label,
        text: (row) => column.values[data.points[row[POINT]][index]],
        key: (row) => data.points[row[POINT]][index],
      }));
      const number = (label, text, key) => ({ label, text, key, numeric: true });
      // Paper is too narrow for every column.
      const screenOnly = (label, text, key) => ({ ...number(label, text, key), only: " screen" });
      const targets = data.targets.map((name, index) => [
        screenOnly(`${name}: recovery, s`, (row) => row[TARGETS][index][RECOVERY_TEXT].replace("median ", "").replace(" s, 99 % within ", "; 99 %: ").replace(/ s$/, ""), (row) => row[TARGETS][index][RECOVERY] ?? Infinity),
        number(`${name}: RTO met`, (row) => `${VERDICTS[row[TARGETS][index][VERDICT]][0][0]} ${row[TARGETS][index][MET_TEXT]}`, (row) => row[TARGETS][index][MET]),
      ]);
      return [
        { label: "Trigger", text: (row) => row[TRIGGER], key: (row) => row[TRIGGER] },
        ...axes,
        number("Patience, s", (row) => String(row[PATIENCE]), (row) => row[PATIENCE]),
        number("False failovers a day", (row) => row[RATE_TEXT], (row) => row[RATE]),
        number("Detection, mean, s", (row) => row[DELAY_TEXT], (row) => row[DELAY] ?? Infinity),
        ...targets.filter((_, index) => state.target === null || state.target === index).flat(),
      ];
    };
    const visibleRows = () => {
      const rows = data.rows.filter((row) => passes(row[POINT]));
      if (state.sort) {
        const { label, sign } = state.sort;
        const column = columns().find((one) => one.label === label);
        if (column) rows.sort((a, b) => sign * compare(column.key(a), column.key(b)));
      }
      return rows;
    };
    const figure = (text, only = "") => {
      const cell = make("td", undefined, { class: "n" + only }), cut = text.indexOf(" (");
      cell.append(cut < 0 ? text : text.slice(0, cut));
      if (cut >= 0) cell.append(make("span", text.slice(cut), { class: "ci" }));
      return cell;
    };
    const drawBody = (table, shown, rows) => {
      const body = make("tbody");
      for (const row of rows.slice(0, state.shown)) {
        const line = make("tr");
        shown.forEach((column, index) => line.append(index === 0
          ? make("th", column.text(row), { scope: "row" })
          : column.numeric ? figure(column.text(row), column.only) : make("td", column.text(row))));
        body.append(line);
      }
      if (table.tBodies[0]) table.tBodies[0].replaceWith(body); else table.append(body);
    };
    const drawTable = () => {
      const shown = columns(), id = article.dataset.study + "-every";
      const scroll = make("div", undefined, { class: "scroll", role: "region", tabindex: "0", "aria-labelledby": id + "-caption" });
      const table = make("table", undefined, { id });
      const caption = make("caption", undefined, { id: id + "-caption" }), title = make("span");
      caption.append(title);
      const headings = make("tr");
      const copyButton = make("button", "Copy as CSV", { type: "button", class: "copy" });
      const more = make("button", "", { type: "button", class: "more" });
      const refresh = () => {
        const rows = visibleRows();
        drawBody(table, shown, rows);
        title.textContent = `${Math.min(state.shown, rows.length)} of ${rows.length} settings`;
        more.hidden = state.shown >= rows.length;
        more.textContent = `Show ${Math.min(ROWS_MORE, rows.length - state.shown)} more`;
      };
      for (const column of shown) {
        const sorted = state.sort && state.sort.label === column.label;
        const order = sorted ? (state.sort.sign > 0 ? "ascending" : "descending") : "none";
        const heading = make("th", undefined, { scope: "col", "aria-sort": order, ...(column.numeric ? { class: "n" + (column.only ?? "") } : {}) });
        const button = make("button", column.label, { type: "button", class: "sort" });
        button.addEventListener("click", () => {
          state.sort = { label: column.label, sign: turn(heading) };
          refresh();
        });
        heading.append(button);
        headings.append(heading);
      }
      const head = make("thead");
      head.append(headings);
      table.append(caption, head);
      scroll.append(table);
      copyButton.addEventListener("click", () =>
        copy([shown.map((column) => column.label), ...visibleRows().map((row) => shown.map((column) => column.text(row)))]));
      more.addEventListener("click", () => { state.shown += ROWS_MORE; refresh(); });
      refresh();
      place.replaceChildren(scroll, copyButton, more);
    };

    // ---- Filters ----
    const apply = (announce) => {
      let seen = 0;
      for (const dot of dots) {
        dot.on = passes(dot.row[POINT]);
        seen += dot.on ? 1 : 0;
        dot.element.classList.toggle("off", !dot.on);
        const target = state.target === null ? null : dot.row[TARGETS][state.target];
        dot.element.classList.toggle("misses", target !== null && target !== undefined && target[VERDICT] === 0);
      }
      for (const line of all(".line", plot)) line.classList.toggle("off", !passes(Number(line.dataset.p)));
      for (const room of all(".room", plot)) {
        room.classList.toggle("off", state.target !== null && Number(room.dataset.room) !== state.target);
      }
      for (const chip of all(".chip", article)) {
        const { target, column, value } = chip.dataset;
        const on = target !== undefined
          ? target === (state.target === null ? "" : String(state.target))
          : value === (state.filter[Number(column)] === null ? "" : String(state.filter[Number(column)]));
        chip.setAttribute("aria-pressed", String(on));
      }
      const whose = state.target === null ? "every target" : data.targets[state.target];
      const text = `${seen} of ${dots.length} settings shown, for ${whose}.`;
      article.querySelector(".shown").textContent = text;
      if (announce) say(text);
      const again = current !== null && current.on ? current : null;
      current = null;
      plot.classList.remove("active");
      const first = dots.find((dot) => dot.on);
      for (const dot of dots) dot.element.setAttribute("tabindex", dot === (again ?? first) ? "0" : "-1");
      if (again) show(again);
      state.shown = ROWS_AT_FIRST;
      drawTable();
    };
    for (const chip of all(".chip", article)) {
      chip.addEventListener("click", () => {
        const { target, column, value } = chip.dataset;
        if (target !== undefined) {
          const chosen = target === "" ? null : Number(target);
          state.target = chosen === state.target ? null : chosen;
        } else {
          const chosen = value === "" ? null : Number(value);
          state.filter[Number(column)] = chosen === state.filter[Number(column)] ? null : chosen;
        }
        apply(true);
      });
    }
    apply(false);
    // The scenario is long on a phone; the answer comes first there.
    if (innerWidth < 620) article.querySelector(".scenario").open = false;
    const answer = dots.find((dot) => dot.on && Number(dot.element.dataset.i) === data.first);
    if (answer) show(answer);
  };
  all("article[data-study]").forEach(study);

  // ---- Printing: nothing stays folded ----
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    folded.forEach((one) => { one.open = true; });
  });
  addEventListener("afterprint", () => folded.forEach((one) => { one.open = false; }));
})();
