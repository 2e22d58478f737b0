package link

import "strings"

// Spam tells whether a referrer's host, or a domain above it, is known to send visits that are none, so that its name is
// seen in statistics.
func Spam(referrerHost string) bool {
	host := withoutWWW(strings.ToLower(referrerHost))
	if !isHost(host) {
		return false
	}
	for domain := host; ; {
		if spammers[domain] {
			return true
		}
		_, rest, ok := strings.Cut(domain, ".")
		if !ok {
			break
		}
		domain = rest
	}
	for _, mark := range spamMarks {
		if strings.Contains(host, mark) {
			return true
		}
	}
	return false
}

// spamMarks are in the names of spammers who come back under new domains, and in those of nobody else.
var spamMarks = []string{
	"semalt", "darodar", "ilovevitaly", "buttons-for-website", "buttons-for-your-website", "free-share-buttons", "free-social-buttons",
	"law-enforcement-bot", "cookie-law-enforcement", "get-free-traffic", "best-seo-offer", "traffic2money", "traffic2cash",
	"keywords-monitoring-", "bottraffic", "trafficbot",
}

var spammers = func() map[string]bool {
	domains := map[string]bool{}
	for d := range strings.FieldsSeq(spamDomains) {
		domains[d] = true
	}
	return domains
}()

const spamDomains = `
0n-line.tv 1-99seo.com 1-free-share-buttons.com 100dollars-seo.com 12-reasons-for-seo.net 12masterov.com 1webmaster.ml
2your.site 3-letter-domains.net 4inn.ru 4istoshop.com 4webmasters.org 5-steps-to-start-business.com 6hopping.com
7makemoneyonline.com abcdefh.xyz abcdeg.com acunetix-referrer.com adspart.com adtiger.tk adventureparkcostarica.com
advokateg.xyz affordablewebsitesandmobileapps.com aibolita.com akuhni.by alfa9.com alibestsale.com aliexsale.ru
alinabaniecka.pl alkanfarma.org allknow.info allnews.md allwomen.info alpharma.net altermix.ua amanda-porn.ga amt-k.ru
anal-acrobats.hol.es anapa-inns.ru android-style.com anticrawler.org arendakvartir.kz arkkivoltti.net artparquet.ru
aruplighting.com autovideobroadcast.com avtointeres.ru avtovykup.kz azartclub.org azbukafree.com azlex.uz
baixar-musicas-gratis.com baladur.ru balitouroffice.com bard-real.com.ua bartikus.site batut-fun.ru best-seo-offer.com
best-seo-software.xyz best-seo-solution.com bestmobilityscooterstoday.com bestwebsitesawards.com bif-ru.info
biglistofwebsites.com billiard-classic.com.ua binomcloud.xyz bizru.info black-friday.ga blackhatworth.com
blue-square.biz bluerobot.info boltalko.xyz boostmyppc.com bot-traffic.icu bot-traffic.xyz bottraffic.icu
bottraffic.live bottraffic143.xyz bottraffic329.xyz bottraffic999.xyz brakehawk.com break-the-chains.com brk-rti.ru
brothers-smaller.ru budmavtomatika.com.ua buketeg.xyz burger-imperia.com burn-fat.ga buttons-for-website.com
buttons-for-your-website.com buy-cheap-online.info buy-forum.ru call-of-duty.info cardiosport.com.ua cartechnic.ru
cenokos.ru cenoval.ru cezartabac.ro chinese-amezon.com civilwartheater.com coderstate.com codysbbq.com commentag.com
commerage.ru compliance-alex.xyz compliance-brian.xyz compliance-checker.info compliance-don.xyz conciergegroup.org
connectikastudio.com copyrightclaims.org copyrightinstitute.org covadhosting.biz cubook.supernew.org customsua.com.ua
dailyrank.net darodar.com dbutton.net delfin-aqua.com.ua dertus.site descargar-musica-gratis.net
detskie-konstruktory.ru dipstar.org djekxa.ru djonwatch.ru dktr.ru dogsrun.net dojki-hd.com domain-tracker.com
dominateforex.ml doska-vsem.ru dostavka-v-krym.com dvr.biz.ua e-buyeasy.com e-kwiaciarz.pl easycommerce.cf ecomp3.ru
econom.co edakgfvwql.ru education-cz.ru egovaleo.it ekto.ee elmifarhangi.com escort-russian.com este-line.com.ua
eu-cookie-law-enforcement2.xyz euromasterclass.ru eurosamodelki.ru event-tracking.com fbdownloader.com fidalsa.de
filesclub.net filmbokep69.com firstblog.top fiverr-seo.com fix-website-errors.com floating-share-buttons.com
for-your.website forex-procto.ru forsex.info forum69.info free-fb-traffic.com free-fbook-traffic.com
free-floating-buttons.com free-share-buttons.com free-social-buttons.com free-social-buttons.xyz
free-social-buttons7.xyz free-traffic.xyz free-video-tool.com freewhatsappload.com gamewrath.com generalporn.org
germes-trans.com get-clickize.info get-free-social-traffic.com get-free-traffic-now.com get-your-social-buttons.info
getlamborghini.ga getrichquick.ml getrichquickly.info ghazel.ru ghostvisitor.com girlporn.ru gkvector.ru glavprofit.ru
gobongo.info goodprotein.ru googlemare.com googlsucks.com grets.store guardlink.org handicapvantoday.com
hit-counter.ru hongfanji.com hosting-tracker.com howopen.ru howtostopreferralspam.eu hulfingtonpost.com
humanorightswatch.org hundejo.com hvd-store.com igru-xbox.net iloveitaly.ro iloveitaly.ru ilovevitaly.co
ilovevitaly.com ilovevitaly.info ilovevitaly.org ilovevitaly.ru ilovevitaly.xyz imperiafilm.ru increasewwwtraffic.info
investpamm.ru iskalko.ru ispaniya-costa-blanca.ru it-max.com.ua jjbabskoe.ru justprofit.xyz kabbalah-red-bracelets.com
kambasoft.com kazrent.com keywords-monitoring-success.com keywords-monitoring-your-success.com kino-fun.ru
kino-key.info kinopolet.net knigonosha.net konkursov.net landoftracking.com law-check-two.xyz
law-enforcement-bot-ff.xyz law-enforcement-check-three.xyz law-enforcement-ee.xyz laxdrills.com letous.ru lider82.ru
linkbolic.com littleberry.ru livefixer.com lombia.co lombia.com lumb.co luxup.ru magicdiet.gq makeprogress.ga
mantero.online manualterap.roleforum.ru marblestyle.ru maridan.com.ua marketland.ml mebelcomplekt.ru mebeldekor.com.ua
med-zdorovie.com.ua minegam.com mirobuvi.com.ua mirtorrent.net mobilemedia.md monetizationking.net moneyteam24.com
moneytop.ru moyakuhnia.ru muscle-factory.com.ua musichallaudio.ru nardulan.com net-profits.xyz niki-mlt.ru
novosti-hi-tech.ru nufaq.com o-o-11-o-o.com o-o-6-o-o.com o-o-6-o-o.ru o-o-8-o-o.com o-o-8-o-o.ru online-hit.info
online-templatestore.com onlinetvseries.me onlywoman.org ooo-olni.ru oops-cinema.ru ownshop.cf ozas.net pc-services.ru
petrovka-online.com photo-clip.ru photokitchendesign.com picturesmania.com pizza-imperia.com pops.foundation
pornhub-forum.ga pornhub-forum.uni.me pornhub-ru.com pornoforadult.com pornogig.com pornoklad.ru portnoff.od.ua
pozdravleniya-c.ru priceg.com pricheski-video.com producm.ru prointer.net.ua promoforum.ru psa48.ru
qualitymarketzone.com quit-smoking.ga qwesa.ru rank-checker.online rankings-analytics.com ranksonic.info ranksonic.net
ranksonic.org rapidgator-porn.ga razas.site rcb101.ru rednise.com replica-watch.ru responsive-test.net reversing.cc
rida.tokyo rightenergysolutions.com.au rospromtest.ru royalsecuritycompany.com rusexy.xyz ruspoety.ru
russian-postindex.ru russian-translator.com rybalka-opt.ru sad-torg.com.ua sady-urala.ru saltspray.ru
sanjosestartups.com santaren.by savetubevideo.com savetubevideo.info search-error.com seders.website semalt.com
semalt.net semaltmedia.com seo-2-0.com seo-platform.info seo-smm.kz seo-tips.top seoanalyses.com seoexperimenty.ru
seopub.net seoriseme.com sexsaoy.com sexyali.com sexyteens.hol.es share-buttons.xyz sharebutton.io sharebutton.net
sharebutton.org sharemyfile.ru shoppytoold.com sibecoprom.ru simple-share-buttons.com site-auditor.online siteripz.net
skinali.com sladkoevideo.com sledstvie-veli.net slftsdybbg.ru slkrm.ru smailik.org smm-heaven.com snabs.kz soaksoak.ru
social-buttons.com social-buttons.xyz social-traffic-1.xyz social-traffic-5.xyz socialbuttons.xyz socialseet.ru
sohoindia.net solnplast.ru sosdepotdebilan.com spb-plitka.ru spin2016.cf spravka130.ru spravkavspb.net star61.de
statustroll.com steame.ru success-seo.com superiends.org supervesti.ru taihouse.ru tattooha.com theautoprofit.ml
theguardlan.com tk-assortiment.ru tomck.com top1-seo-service.com top10-way.com topquality.cf topseoservices.co
torture.ml tourcroatia.co.uk traffic-bot.top traffic-cash.xyz traffic2cash.org traffic2cash.xyz traffic2money.com
trafficbot.life trafficbot.live trafficgenius.xyz trafficmonetize.org trafficmonetizer.org trion.od.ua tvand.ru
tyryryry.ru uasb.ru ucsol.ru undergroundcityphoto.com unpredictable.ga uptimechecker.com uzungil.com varikozdok.ru
vesnatehno.com vezdeplatform.com video--production.com video-chat.in video-woman.com videos-for-your-business.com
viel.su viktoria-center.ru vitaly-popov.ru vodaodessa.com vodkoved.ru webmaster-traffic.com webmonetizer.net
website-analyzer.info website-errors-scanner.com weburlopener.com wmasterlead.com woman-orgasm.ru wordpress-crew.net
xn--80aaajbdbddwj2alwjieei2afr3v.xn--p1ai ykecwqlixx.ru yodse.io youporn-forum.ga youporn-forum.uni.me youporn-ru.com
yourserverisdown.com zastroyka.org zoominfo.pro zvetki.ru
`
