import type { Side } from '#shared/fills/fill.ts'
import { decimalSignOf, readMoney } from './cell-number.ts'
import { readDate, readOffset, readWall } from './cell-time.ts'
import { mostFees, plainTime, type FormatField, type ImportFormat, type RowKind } from './mapped-format.ts'
import { contractOfSymbol } from './platforms/mapped.ts'
import { isId } from './row-cells.ts'

/** What a column of an unknown file holds: some of its cells, its different values if they are few, and how many cells are what. */
export type ColumnFacts = {
  readonly header: string
  readonly cells: readonly string[]
  /** Null if there are many. */
  readonly values: readonly string[] | null
  readonly filled: number
  readonly times: number
  /** Times that state their offset from UTC. */
  readonly offsets: number
  readonly days: number
  readonly clocks: number
  readonly numbers: number
  readonly wholes: number
  readonly above: number
  readonly below: number
  readonly contracts: number
  readonly ids: number
  /** Whether no value came twice, of as many as were compared. */
  readonly isUnique: boolean
  /** Whether the cells count the file's rows, up from 0 or 1 or down to it: the next file may begin at 1 again, so they are no ids. */
  readonly isNumbering: boolean
}

const [cellsShown, mostValues, mostCompared] = [3, 60, 5_000]
const clockShape = /^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[AP]\.?M\.?)?$/i
const wholeShape = /^[-+(]?\d{1,7}(?:[.,]0+)?\)?$/
const fractionShape = /^-?[\d.,]+['’]\d{1,3}\+?$/

const emptyColumn = (header: string) => ({
  header,
  cells: [] as string[],
  values: new Set<string>(),
  filled: 0,
  times: 0,
  offsets: 0,
  days: 0,
  clocks: 0,
  numbers: 0,
  wholes: 0,
  above: 0,
  below: 0,
  contracts: 0,
  ids: 0,
  compared: new Set<string>(),
  isUnique: true,
  isNumbering: true,
  before: null as number | null,
  lowest: Infinity,
})

/** Gathers the facts of all columns of a file, row by row. */
export const columnFacts = (header: readonly string[]) => {
  const columns = header.map(emptyColumn)
  return {
    note: (row: readonly string[]): void => {
      for (const [index, column] of columns.entries()) {
        const text = (row[index] ?? '').trim().slice(0, 100)
        if (text === '') continue
        column.filled += 1
        if (column.cells.length < cellsShown && !column.cells.includes(text)) column.cells.push(text)
        if (column.values.size <= mostValues) column.values.add(text)
        if (column.isUnique && column.compared.size < mostCompared) {
          column.isUnique = !column.compared.has(text)
          column.compared.add(text)
        }
        const count = /^\d{1,7}$/.test(text) ? Number(text) : NaN
        column.isNumbering &&= column.before === null ? !Number.isNaN(count) : Math.abs(count - column.before) === 1
        column.before = count
        column.lowest = Math.min(column.lowest, count)
        const time = plainTime(text)
        if (readOffset(time) !== null || readOffset(time, true) !== null) column.offsets += 1
        if (isId(text)) column.ids += 1
        if (readWall(time) !== null || readWall(time, true) !== null || readOffset(time) !== null || readOffset(time, true) !== null) column.times += 1
        else if (readDate(time) !== null || readDate(time, true) !== null) column.days += 1
        else if (clockShape.test(text)) column.clocks += 1
        const number = readMoney(text, decimalSignOf(text) ?? 'open')
        if (number.ok || number.error === 'unclear-number' || fractionShape.test(text)) column.numbers += 1
        if (wholeShape.test(text)) column.wholes += 1
        if (number.ok && number.value !== 0) column[number.value > 0 ? 'above' : 'below'] += 1
        if (/[A-Za-z]/.test(text) && text.length <= 40 && contractOfSymbol(text).isKnown) column.contracts += 1
      }
    },
    facts: (): readonly ColumnFacts[] => columns.map(({ values, compared: _compared, before: _before, lowest, ...facts }) => ({ ...facts, isNumbering: facts.isNumbering && lowest <= 1, values: values.size > mostValues ? null : [...values] })),
  }
}

// Each word is matched at the start of a header's word; in languages without spaces anywhere in it.
const words = (latin: string, others = ''): RegExp => new RegExp(` (?:${latin})${others === '' ? '' : `|${others}`}`, 'u')
const concepts = {
  entry: words('entr|enter|open|ouvert|einstieg|eroff|apert|abert|ingress|instap|wejsci|otwarc|giris|acil', 'вход|откры|开仓|开盘|進場|入场|エントリー|新規|진입'),
  exit: words('exit|clos|leav|left|sortie|ferm|cloture|ausstieg|schliess|geschlossen|salid|cierre|uscita|chius|saida|fech|uitstap|sluit|wyjsci|zamkn|cikis|kapan', 'выход|закры|平仓|出場|出场|決済|청산'),
  time: words('time|timestamp|at |datetime|date time|zeit|heure|horodat|hora |horario|ora |orario|tijd|czas|saat|executed|filled', 'время|时间|時間|時刻|日時|시간|시각'),
  date: words('date |day |datum|tag |jour|fecha|dia |data |giorno|dzien|tarih|gun ', 'дата|日期|날짜|約定日'),
  price: words('price|px |prix|preis|kurs|precio|prezzo|preco|prijs|cena|fiyat|cours', 'цена|价格|價格|成交价|値段|価格|가격'),
  average: words('avg|average|limit|stop|trigger|moy|durchschn|medio'),
  quantity: words('qty|qte|quantity|size|contracts |lots|volume|filled qty|quant|menge|anzahl|stuck|kontrakte|cantidad|contratos|contratti|quantita|aantal|ilosc|miktar|adet', 'колич|объем|数量|수량|枚数|手数'),
  side: words('side|direction|action|b s |buy sell|market pos|position type|type|richtung|seite|kauf|sens|lado|direcc|tipo|lato|direzione|kierunek|strona|yon', 'сторона|направ|方向|买卖|売買|구분'),
  sideAlone: words('side |direction |b s |buy sell |richtung |sens |lado |lato |kierunek |strona ', '方向|买卖|売買'),
  symbol: words('symbol|instrument|contract|ticker|product|market |security|kontrakt|wertpapier|instrumento|simbol|contrato|contratto|strumento|sembol', 'инструмент|символ|тикер|合约|品种|代码|銘柄|종목'),
  account: words('account|acct|konto|compte|cuenta|conto|conta |rekening|hesap', 'счет|счёт|账户|帳戶|口座|계좌'),
  fee: words('fee|commission|comm |cost|charge|gebuhr|kommission|provision|kosten|frais|comision|comissao|commissione|tarif|taxa|prowizj|komisyon', 'комисс|сбор|手续费|佣金|手数料|수수료'),
  pnl: words('pnl|pn l|p l |profit|result|realized|realized|gewinn|ergebnis|guv|resultat|ganancia|benefic|resultado|guadagn|lucro|winst|zysk|kar ', 'прибыл|результат|盈亏|損益|손익'),
  gross: words('gross|brut|lord|grob', 'валов|毛|粗|총'),
  net: words('net |nett|neto|liquid', 'чист|净|純|순'),
  currency: words('currency|ccy|wahrung|devise|moneda|divisa|moeda|valuta|waluta|doviz', 'валют|币种|貨幣|通貨|통화'),
  id: words('id |number|no |nr |num|ref|nummer|numero', 'номер|编号|編號|番号|번호'),
  fill: words('fill|exec|deal|ausfuhrung|ejecucion|esecuzione', 'сделк|исполн|成交|約定|체결'),
  order: words('order|ordre|auftrag|orden|ordine|ordem|zlecen|emir', 'заяв|ордер|委托|注文|주문'),
  trade: words('trade|transaction|geschaft|operac|operaz|transakc'),
  tradingDay: words('trad(?:e|ing) ?(?:day|date)|session|handelstag|business date'),
  notMoney: words('pct|percent|tick|point|pip|cum|running|balance|rate|ratio|multiple|max|min', '%|％'),
  mfe: words('mfe |max(?:imum)? fav|max open profit|max open p l high|favou?rable exc|run ?up'),
  mae: words('mae |max(?:imum)? adv|max open loss|adverse exc|drawdown'),
  notExcursion: words('pct|percent|tick|point|pip|price|ratio|r ', '%|％'),
  total: words('total|summe|sum '),
} as const
type Concept = keyof typeof concepts

const nameOf = (header: string): string => ` ${header.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replaceAll('%', ' pct ').replaceAll('ß', 'ss').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()} `

type Named = ColumnFacts & { readonly index: number; readonly is: (...all: readonly Concept[]) => boolean }

// A cell in twenty may be broken.
const mostly = (count: number, { filled }: ColumnFacts): boolean => filled > 0 && count * 20 >= filled * 19
const isTime = (column: ColumnFacts): boolean => mostly(column.times, column)
const isInstant = (column: ColumnFacts): boolean => mostly(column.offsets, column)
const isIds = (column: ColumnFacts): boolean => mostly(column.ids, column) && column.isUnique && !column.isNumbering && column.filled > 1
const isDay = (column: ColumnFacts): boolean => mostly(column.days, column)
const isClock = (column: ColumnFacts): boolean => mostly(column.clocks, column)
const isNumber = (column: ColumnFacts): boolean => mostly(column.numbers, column)
const isWhole = (column: ColumnFacts): boolean => mostly(column.wholes, column)
const isSymbol = (column: ColumnFacts): boolean => mostly(column.contracts, column)
const isSide = ({ values }: ColumnFacts): boolean => values !== null && values.length > 0 && values.length <= 8 && sidesOf(values).length > 0

const spelledSides: Readonly<Record<Side, RegExp>> = {
  buy: /^(?:buy|bought|bot|long|kauf|gekauft|achat|achet|compra|acquist|koop|gekocht|kupno|alis|покуп|купл|лонг|买|買|매수)/u,
  sell: /^(?:sell|sold|sld|short|verkauf|vente|vend|venta|cortos?$|verkoop|verkocht|sprzeda|satis|прода|шорт|卖|賣|売|매도)/u,
}
// A letter shows a side only if the column has the opposite one too.
const letterPairs: readonly (readonly [buy: string, sell: string])[] = [['b', 's'], ['l', 's'], ['k', 'v'], ['c', 'v'], ['a', 'v']]

/** The words of a column of sides whose meaning is beyond doubt. */
export const sidesOf = (values: readonly string[]): ImportFormat['sides'] => {
  const plain = [...new Set(values.map((value) => value.trim().toLowerCase()))]
  const letters = letterPairs.find((pair) => plain.length === 2 && pair.every((letter) => plain.includes(letter)))
  return plain.flatMap((word) => {
    const name = nameOf(word).trim()
    const found = (['buy', 'sell'] as const).filter((side) => spelledSides[side].test(name) || letters?.[side === 'buy' ? 0 : 1] === word)
    return found.length === 1 && found[0] !== undefined ? [{ word: word.slice(0, 40), side: found[0] }] : []
  })
}

/** How an unknown file's columns are most likely meant; a field with two likely columns, or a P&L that may be gross or net, stays open. */
export const guessFormat = (facts: readonly ColumnFacts[], name: string): ImportFormat => {
  const columns: readonly Named[] = facts.map((fact, index) => {
    const text = nameOf(fact.header)
    return { ...fact, index, is: (...all) => all.every((concept) => concepts[concept].test(text)) }
  })
  const chosen = new Map<number, FormatField>()
  const isChosen = (field: FormatField): boolean => [...chosen.values()].includes(field)
  const free = (fits: (column: Named) => boolean): readonly Named[] => columns.filter((column) => !chosen.has(column.index) && fits(column))
  /** The one column that fits; of several, the only one that also fits better. */
  const choose = (field: FormatField, fits: (column: Named) => boolean, ...better: readonly ((column: Named) => boolean)[]): boolean => {
    const all = free(fits)
    const best = better.map((is) => all.filter(is)).find((some) => some.length === 1) ?? all
    const [only, ...others] = best
    if (only !== undefined && others.length === 0) chosen.set(only.index, field)
    return only !== undefined && others.length === 0
  }
  const isPlain = ({ header }: Named): boolean => nameOf(header).trim().split(' ').length === 1
  const isLeg = (column: Named): boolean => column.is('entry') || column.is('exit')
  const legOf = (leg: 'entry' | 'exit') => (column: Named): boolean => column.is(leg) && !column.is(leg === 'entry' ? 'exit' : 'entry')
  const rows: RowKind = (['entry', 'exit'] as const).every((leg) => columns.some((column) => legOf(leg)(column) && isNumber(column)) && columns.some((column) => legOf(leg)(column) && (isTime(column) || isClock(column)))) ? 'trades' : 'fills'

  if (rows === 'trades') {
    for (const [leg, time, date, clock, price] of [['entry', 'entryTime', 'entryDate', 'entryClock', 'entryPrice'], ['exit', 'exitTime', 'exitDate', 'exitClock', 'exitPrice']] as const) {
      const isOf = legOf(leg)
      if (!choose(time, (column) => isOf(column) && isTime(column), isInstant) && choose(clock, (column) => isOf(column) && isClock(column))) choose(date, (column) => isOf(column) && isDay(column))
      if (!choose(price, (column) => isOf(column) && column.is('price') && isNumber(column))) choose(price, (column) => isOf(column) && isNumber(column) && !column.is('quantity'))
    }
    choose('tradingDay', (column) => column.is('tradingDay') && (isDay(column) || (isTime(column) && column.cells.every((cell) => /[T ]00:00/.test(cell)))))
    if (isChosen('entryClock') && !isChosen('entryDate')) choose('entryDate', isDay)
    const isMoney = (column: Named): boolean => column.is('pnl') && isNumber(column) && !column.is('notMoney')
    choose('grossPnl', (column) => isMoney(column) && column.is('gross') && !column.is('net'))
    choose('netPnl', (column) => isMoney(column) && column.is('net') && !column.is('gross'))
    // Of percents, ticks, or R nothing is kept.
    const isExcursion = (column: Named): boolean => isNumber(column) && !column.is('notExcursion')
    choose('mfe', (column) => column.is('mfe') && isExcursion(column))
    choose('mae', (column) => column.is('mae') && isExcursion(column))
    choose('tradeId', (column) => column.is('id') && !column.is('order') && !column.is('account') && isIds(column) && !isTime(column), (column) => column.is('trade'))
  } else {
    const hasTime = choose('time', isTime, (column) => column.is('fill'), (column) => column.is('time') && !column.is('order') && !column.is('entry'))
    const hasDate = !hasTime && choose('date', isDay, (column) => column.is('date') && !column.is('tradingDay'))
    if (hasDate) choose('clock', isClock, (column) => column.is('fill'))
    choose('price', (column) => column.is('price') && isNumber(column), (column) => column.is('fill'), (column) => !column.is('average'), isPlain)
    choose('fillId', (column) => column.is('id') && (column.is('fill') || column.is('trade')) && isIds(column), (column) => column.is('fill'))
    choose('orderId', (column) => column.is('id', 'order') && mostly(column.ids, column) && !column.isNumbering)
  }
  if (!choose('symbol', (column) => isSymbol(column) && !column.is('account'), (column) => column.is('symbol'))) choose('symbol', (column) => column.is('symbol') && !isNumber(column) && !column.is('price'))
  if (!choose('side', isSide, (column) => column.is('side'), (column) => column.is('entry'))) choose('side', (column) => column.is('sideAlone') && column.values !== null && column.values.length <= 8)
  const isSize = (column: Named): boolean => column.is('quantity') && isWhole(column) && !isTime(column)
  const isSigned = !isChosen('side') && columns.some((column) => isSize(column) && column.above > 0 && column.below > 0)
  if (!isSigned) choose('quantity', isSize, (column) => column.is('fill'), (column) => !isLeg(column), isPlain)
  else choose('signedQuantity', (column) => isSize(column) && column.above > 0 && column.below > 0, (column) => column.is('fill'), legOf('entry'))
  choose('account', (column) => column.is('account') && !column.is('notMoney') && !isTime(column) && !isDay(column), (column) => !column.is('id'))
  choose('currency', (column) => column.is('currency') && (column.values ?? []).every((value) => /^[A-Z]{3}$/.test(value)))
  const fees = free((column) => column.is('fee') && isNumber(column) && !column.is('notMoney'))
  const totals = fees.filter((column) => column.is('total'))
  for (const column of (totals.length === 1 ? totals : fees).slice(0, mostFees)) chosen.set(column.index, column.above === 0 && column.below > 0 ? 'negativeFee' : 'fee')

  const side = columns.find(({ index }) => chosen.get(index) === 'side')
  return {
    fillbook: 'import-format',
    version: 1,
    name: name.slice(0, 80),
    rows,
    columns: columns.map(({ header, index }) => ({ header: header.slice(0, 200), field: chosen.get(index) ?? null })),
    dates: null,
    decimals: null,
    sides: [...sidesOf(side?.values ?? [])],
    symbols: [],
  }
}
