import type { Label, Mark, Noun } from './marks.ts'

const label = (value: Label): Mark => ({ is: 'label', label: value })
const noun = (value: Noun): Mark => ({ is: 'noun', noun: value })
const gain: Mark = { is: 'sign', sign: 1, of: 'money' }
const loss: Mark = { is: 'sign', sign: -1, of: 'money' }
const won: Mark = { is: 'sign', sign: 1, of: 'trades' }
const lost: Mark = { is: 'sign', sign: -1, of: 'trades' }
const good: Mark = { is: 'sign', sign: 1, of: 'any' }
const bad: Mark = { is: 'sign', sign: -1, of: 'any' }
const more: Mark = { is: 'more', way: 1 }
const less: Mark = { is: 'more', way: -1 }
const other: Mark = { is: 'other' }
const parts: Mark = { is: 'break', against: false }
const against: Mark = { is: 'break', against: true }
const plain: Mark = { is: 'word', between: false, known: true }
const between: Mark = { is: 'word', between: true, known: true }
const poison = (text: string): Mark => ({ is: 'poison', text })
const after = (...kinds: string[]): Mark => ({ is: 'name', name: { field: 'kind', value: kinds }, text: 'after a loss' })
const whole: Mark = { is: 'name', name: { field: 'whole', value: true }, text: 'overall' }

// Marks, and the words and phrases that stand for them; the longest phrase wins.
const table: readonly (readonly [marks: readonly Mark[], phrases: string])[] = [
  [[label('net')], 'net|net result|net profit and loss|after costs|after commission|after commissions|after fees'],
  [[label('net'), gain], 'net profit|net gain|net gains|net profits'],
  [[label('net'), loss], 'net loss|net losses'],
  [[label('gross')], 'gross|before costs|before commission|before commissions|before fees'],
  [[label('gross'), gain], 'gross profit|gross gain'],
  [[label('gross'), loss], 'gross loss'],
  [[label('commission')], 'commission|commissions|fee|fees|commission cost|commission costs|costs of trading|trading costs|costs|in costs'],
  [[label('average')], 'average|averaged|averages|averaging|avg|mean|on average|an average|expectancy|per trade|a trade|each trade|every trade|per trip|apiece'],
  [[label('average-win')], 'average win|average winner|average winning trade|avg win|average wins|average winners|mean win|per win|per winner|per winning trade|a win on average'],
  [[label('average-loss')], 'average loss|average loser|average losing trade|avg loss|average losses|average losers|mean loss|per loss|per loser|per losing trade'],
  [[label('largest-win')], 'largest win|largest winner|largest winning trade|biggest win|biggest winner|biggest winning trade|best trade|best win|largest gain|biggest gain'],
  [[label('largest-loss')], 'largest loss|largest loser|largest losing trade|biggest loss|biggest loser|biggest losing trade|worst trade|worst loss'],
  [[label('drawdown')], 'drawdown|max drawdown|maximum drawdown|deepest drawdown|largest drawdown|deepest fall'],
  [[label('gave-back'), loss], 'gave back|given back|give back|gives back|giving back|handed back|hand back|handing back'],
  [[label('excess')], 'excess|edge|advantage|outperformance|difference'],
  [[label('excess'), gain], 'outperformed|ahead of'],
  [[label('excess'), loss], 'underperformed|behind'],
  [[label('excess'), more], 'more than|better than|more|better|above'],
  [[label('excess'), less], 'less than|worse than|less|worse|below|fewer|fewer than'],
  [[label('interval')], 'interval|95 % interval|95 percent interval|95 % confidence interval|95 percent confidence interval|confidence interval|plausible range'],
  [[label('profit-factor')], 'profit factor'],
  [[label('win-rate')], 'win rate|winrate|hit rate|strike rate|winning percentage|rate of wins|share of wins|share of winners'],
  [[label('share')], 'share|portion|proportion'],
  [[label('chance')], 'chance|by chance|by chance alone|by luck|by luck alone|by pure chance|pure chance|luck|probability|likelihood|p value'],
  [[label('hold')], 'hold|holds|held|holding|hold time|holding time|hold times|time in the trade|time in trade|duration|lasted|kept'],
  [[label('size')], 'size|sizes|sized|position size|times the usual size|times your usual size|times the normal size|times your normal size'],
  [[label('streak')], 'streak|in a row|straight|consecutive|consecutively|running'],
  [[label('streak'), noun('wins')], 'longest wins|winning streak|win streak|winning run'],
  [[label('streak'), noun('losses')], 'longest losses|losing streak|loss streak|losing run|consecutive loss|straight loss'],
  [[noun('trades')], 'trades|trips|round trips'],
  [[noun('trades')], 'trade|trip|round trip'],
  [[noun('wins')], 'wins|winners|winning trades|win|winner|winning trade'],
  [[noun('losses')], 'losses|losers|losing trades|loser|losing trade'],
  [[noun('days')], 'days|day|trading days|trading day|sessions|session'],
  [[noun('contracts')], 'contracts|contract|lots|lot'],
  [[won], 'won|winning'],
  [[good], 'profitable|green|positive'],
  [[bad], 'unprofitable|red|negative|losing'],
  [[lost], 'lost|lose|loses'],
  [[gain], 'made|make|makes|making|earned|earn|earns|earning|gained|gain|gains|gaining|profit|profits|up|brought in|added|adds|ahead|plus|returned|netted gains|benefit|contributed|produced|in profit|credit'],
  [[loss], 'loss|cost|cost you|costs you|costing|down|gave up|deficit|minus|bled|bleed|bleeds|bleeding|shed|paid|pay|burned|gave away|debit|in the red|dragged|loses money|damage|drain|drained|hurt|hurts|setback|shortfall|squandered|wasted|forfeited|surrendered|torched|evaporated|ate|eaten|eats|eroded|leaked|sank|suffered|incurred|conceded|blew|tanked|underwater|detracted|deducted|penalty|toll|bleak|removed|took away'],
  [[other], 'other|others|the rest|elsewhere|otherwise|usual|usually|remaining|normally|normal|typical|typically'],
  [[parts], 'and|but|while|whereas|although|though|yet|then|as well as|with'],
  [[against], 'against|versus|vs|compared|compared with|compared to|relative to'],
  [[after('size-after-loss', 'revenge', 'streak')], 'after a loss|after losses|after losing|after a losing trade|after losing trades|following a loss|after each loss'],
  [[whole], 'overall|your total|the total|grand total|in total|in all|altogether|in sum|whole period|entire period|all accounts|whole report'],
  [[between], 'of|them|which|were|was|are|your|the|these|those|such|all|in|total|closed|completed|individual|separate|different|trading|a total of'],
  // Phrases in which a word says nothing that it says alone.
  [[plain], 'in the long run|long run|long term|short term|as long as|so long as|in short ,|single best|single worst|what is more|more or less|once more|up to date|set up|ended up|end up|follow up|slowed down|break down|breaks down|broken down|come down|comes down|cut down|down to earth|at this hour|stop loss|stop losses|take profit|p & l|pnl|profit and loss|good news|no wonder|no doubt|no surprise|not surprisingly|other than that|more often|above all|all in all|hold on|on the other hand|the other hand|make sure|makes sense|make sense|make up|paid off|pays off'],
  [[poison('not')], 'not|never|no|none|nothing|neither|nor|without|except|excluding|excl|instead|rather|unless|if|would|could|should|might|may|cannot|ought|wont|barely|hardly|scarcely|lacking|missing|avoid|avoided|avoiding|skipped|skipping|missed|recouped|recoup|regained|offset|covered|erased|wiped|saved|saving|savings|cancelled|canceled|limited|capped|reduced|trimmed|stopped|prevented|escaped|clawed|repaired|won back|win back|false|untrue|wrong|deny|imagine|suppose|assuming|hypothetical|hypothetically|ignore|ignoring|beyond|besides|minus the|apart from|opposite|reverse|reversed'],
  [[poison('bound')], 'at least|at most|up to|nearly|almost|close to|north of|south of|exceeding|exceeds|exceeded|exceed|minimum|maximum|min|max|no more than|as much as|as many as|as little as|upwards of|short of|shy of|smaller|bigger|larger|greater|lower|higher|lowest|highest|smallest|top|bottom|largest|biggest|shortest|longer|shorter|ranging'],
  [[poison('change')], 'improved|improves|improving|improvement|increased|increase|increases|decreased|decrease|rose|rise|rises|rising|grew|grow|grows|growth|fell|fall|falls|dropped|drop|drops|declined|decline|climbed|jumped|slipped|changed|change|swing|swung|turned|recovered|recovery|up from|down from|away from|far from|aside from|came back|back to'],
  [[poison('multiple')], 'twice|thrice|once|double|doubled|doubles|doubling|triple|tripled|quadruple|quadrupled|twofold|threefold|fold|half|halved|halves|quarter|quarters|third|thirds|fifth|fifths|couple|pair|both|single|hundred|hundreds|thousand|thousands|million|dozens|millions|billion|grand|bucks|cents|tens|billions|trillion|bn|mm|mil|mio|tn|lakh|lakhs|lac|crore|crores|another|additional|additionally|extra|sum|combined|together|multiple|multiples|points|point|ticks|tick|basis'],
  [[poison('rate')], 'per|daily|weekly|monthly|hourly|yearly|annual|annually|annualised|annualized|a day|each day|every day|a week|each week|every week|a month|each month|every month|a session|each session|every session|an hour|each hour|every hour|a minute|each minute|a contract|each contract|every contract|each|every'],
  [[poison('when')], 'first|second|last|previous|prior|next|former|latter|respectively|yesterday|today|tomorrow|tonight|ago|morning|mornings|afternoon|afternoons|evening|evenings|night|nights|overnight|noon|midnight|midday|lunch|lunchtime|asia|asian|london|europe|european|york|weekend|weekends|premarket|earlier|fourth|sixth|seventh|eighth|ninth|tenth|sat|sun|march|mar|wed'],
  [[poison('figure')], 'median|variance|deviation|std|mode|projected|projection|expected|expect|forecast|target|goal|budget|limit|stop|payoff|ratio|sharpe|sortino|percentile|quartile|rank|ranked|expectation|potential|potentially|theoretical|simulated|buy|buys|buying|bought|sell|sells|selling|sold|sellers|buyers|bullish|bearish|open|unrealised|unrealized|risk|risked|slippage|spread|interest|tax|taxes|swap|exposure|margin|balance|equity|buffer|payout|payouts|deposit|withdrawal|evaluation|subscription|price|prices|volume|canadian|australian|singapore|zealand|opportunity|opportunities|worth|planned|hoped'],
  [[poison('market')], 'nasdaq|dow|russell|gold|silver|crude|bitcoin|ether|ethereum|mini|minis|micro|micros|dax|nikkei|treasury|treasuries|bund|bobl|schatz|copper|platinum|palladium|wheat|corn|soybeans|soybean|cattle|hogs|sugar|coffee|cocoa|cotton|stoxx|gas|oil|vix|yen|peso|franc|spx|spy|indices|metals|energies|energy|grains|currencies|equities|futures|options|stocks|bonds'],
]

/** A phrase, word by word, and what it stands for. */
export type Phrase = { readonly words: readonly string[]; readonly marks: readonly Mark[] }

const longestFirst = (one: Phrase, other_: Phrase): number => other_.words.length - one.words.length

/** All phrases by their first word, the longest first; of two that are equal the first in the table. */
export const phrases: ReadonlyMap<string, readonly Phrase[]> = new Map(
  [
    ...Map.groupBy(
      table.flatMap(([marks, texts]) => texts.split('|').map((text): Phrase => ({ words: text.split(' '), marks }))),
      ({ words }) => words[0] ?? '',
    ),
  ].map(([first, found]) => [first, found.sort(longestFirst)]),
)

/** Whole numbers that words say. */
export const numberWords: ReadonlyMap<string, number> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, value): [string, number] => [word, value])
    .concat([['thirty', 30], ['forty', 40], ['fifty', 50], ['sixty', 60], ['seventy', 70], ['eighty', 80], ['ninety', 90], ['dozen', 12]]),
)

/** Words that make a bound or another claim of the figure right behind them, and say nothing elsewhere. */
export const beforeFigure: ReadonlySet<string> = new Set(['over', 'under', 'within', 'between', 'from', 'until', 'till', 'since', 'past', 'after', 'before', 'by', 'than', 'above', 'below', 'to', 'near', 'toward', 'towards', 'beyond'])

/** Words that leave the meaning of a figure beside them as it is. Any other word beside one keeps it from being proved. */
export const neutral: ReadonlySet<string> = new Set(
  (
    'a an the this that these those it its they them their you your yours we our he she i me my who which what when where there here ' +
    'is are was were be been being am has have had having do does did done came come comes coming came went goes stood stands stand sat sits ran runs run ' +
    'in on at of to for from by as into onto upon during through throughout across among amid around about over under within after before since ' +
    'trade traded trading trades take took taken taking place placed enter entered entry entries exit exits opened closed begun began begin started start ended end held ' +
    'result results resulted total totals totalled totaled amount amounts amounted figure figures sum value account accounts product products market side sides hour hours day days weekday weekdays week period month report journal ' +
    'best worst strongest weakest strong weak good solid steady clear clearly main mainly mostly most alone only just exactly precisely again also too so still already even indeed here now ' +
    'show shows showed shown see saw seen seeing stand out stands give gives gave given bring brings brought reach reached reaches equal equals equalled left leave leaves leaving remain remained stay stayed ' +
    'because or all any some while such very quite hence thus therefore well notable notably interesting interestingly finally lastly meanwhile however p deepest longest streaks averages rate number count counted counts position positions opened trader traders performance activity line mark set early late ' +
    'one ones group groups whose whom roughly approximately approx circa'
  ).split(' '),
)
