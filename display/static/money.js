// Amounts: strings of whole minor units in, the language's written form out; integers only.

const MARKS = { es: { group: ".", point: "," }, en: { group: ",", point: "." } };
export const marks = (language) => MARKS[language] ?? MARKS.es;

/** 12345678 -> ["12", "345", "678"] */
export function grouped(digits) {
  const groups = [];
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end));
  return groups;
}

/** "4823761540" with two decimals -> { whole: "48237615", fraction: "40" } */
export function parted(minor, decimals) {
  const digits = minor.padStart(decimals + 1, "0");
  return { whole: digits.slice(0, digits.length - decimals), fraction: digits.slice(digits.length - decimals) };
}

/** "$ 1.234.567,89"; without `fraction` the minor digits are dropped, which floors; round sums drop ",00" if asked. */
export function written(minor, currency, language, { fraction = true, dropZeros = false } = {}) {
  const { group, point } = marks(language);
  const parts = parted(minor, currency.decimals);
  const whole = grouped(parts.whole).join(group);
  const shown = fraction && parts.fraction !== "" && !(dropZeros && /^0*$/.test(parts.fraction));
  return `${currency.symbol}\u00a0${shown ? whole + point + parts.fraction : whole}`;
}

/** 1000 basis points -> "10 %"; 1250 -> "12,5 %". */
export function percent(basisPoints, language) {
  const whole = Math.trunc(basisPoints / 100);
  const rest = String(basisPoints % 100).padStart(2, "0").replace(/0+$/, "");
  return `${whole}${rest === "" ? "" : marks(language).point + rest}\u00a0%`;
}

/** Group a plain count: 18342 -> "18.342". */
export const counter = (number, language) => grouped(String(number)).join(marks(language).group);
