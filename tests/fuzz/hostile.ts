import fc from 'fast-check'

/** Texts by which programs were broken before: each means something to a database, a shell, a page, a spreadsheet, a path, a number or a clock. */
const hostileTexts: readonly string[] = [
  ...['', ' ', '\0', 'a\0b', '\ud800', '\udfff\ud800', '\u202eevil', '\ufeff', '\r\nSet-Cookie: a=b', '🦔'.repeat(200), 'e\u0301'.repeat(300)],
  ...["'", '"', "' OR '1'='1", "'; DROP TABLE trades; --", '" OR 1=1 --', "1); DELETE FROM profiles; --", '%', '_%', '\\', 'NULL', "x' UNION SELECT password_hash FROM profiles --", '$1', ':id', '?', '`'],
  ...['../../../../etc/passwd', '..\\..\\journal.db', '/etc/passwd', 'C:\\Windows\\win.ini', '%2e%2e%2f', 'file:///etc/passwd', '\\\\host.invalid\\share', 'CON', '.', '..'],
  ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', "javascript:alert('1')", '</style><svg onload=alert(1)>', '{{7*7}}', '${7*7}', '<!--', ']]>'],
  ...['=1+1', '@SUM(1)', '+1', "-2+cmd|' /C calc'!A0", '\t=1'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'null', 'undefined', 'true', '[object Object]'],
  ...['0', '-0', '-1', '1e400', '-1e400', '1e-400', 'NaN', 'Infinity', '0x10', '9'.repeat(400), '9007199254740993', '0.1', '1_000', '١٢٣', '1,000'],
  ...['2026-02-30', '0000-00-00', '9999-12-31', '0001-01-01', '2026-11-02T15:00:00Z', '2026-11-02T24:00:00Z', '2026-11-02T15:00:00.000000000000001Z', '9999-12-31T23:59:59.999Z', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', '+275760-09-13T00:00:00Z'],
  ...['tradovate:demo:1', 'tradovate:live:99999999999999999999', 'file:', 'file:A', 'Etc/GMT+12', 'Europe/../Berlin', 'MESZ6', 'XXXXZ9', '//host.invalid', 'http://127.0.0.1:1/', 'https://model.invalid/v1'],
  ...['x'.repeat(301), 'x'.repeat(20_001), `${'a'.repeat(5_000)}!`, `${'a@'.repeat(2_000)}`, `${'1.'.repeat(2_000)}`, ' '.repeat(10_000)],
]

/** A text by which programs were broken before, or any other. */
export const hostileText: fc.Arbitrary<string> = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...hostileTexts) }, { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) })

const hostileNumber = fc.oneof(fc.constantFrom(0, -0, -1, 1, 0.1, 1e12, -1e12, 1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 53), 253_402_300_800_000, Number.MAX_SAFE_INTEGER), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer())

/** So many lists or objects, one in the other. */
const nested = (depth: number, of: '[' | '{"a":' = '['): unknown => JSON.parse(of.repeat(depth) + '1' + (of === '[' ? ']' : '}').repeat(depth))

/** Keys that reach behind an object where they are taken over carelessly. */
const polluting = (): unknown[] => ['{"__proto__":{"polluted":"yes"}}', '{"constructor":{"prototype":{"polluted":"yes"}}}', '{"a":{"__proto__":{"polluted":"yes","userId":"root","admin":true}}}', '{"__proto__":null}', '{"toString":1,"valueOf":2,"hasOwnProperty":3,"length":-1}'].map((text) => JSON.parse(text) as unknown)

/** Any value that JSON can say, the odd ones first. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 3, arbitrary: hostileNumber },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { length: 1e9 }) },
  { weight: 1, arbitrary: fc.constantFrom(...polluting(), nested(60), nested(60, '{"a":')) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)
