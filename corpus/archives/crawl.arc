filedesc://crawl.arc 192.0.2.1 19941201000000 text/plain 76
1 0 InternetArchive
URL IP-address Archive-date Content-type Archive-length

http://www.example.org/ 192.0.2.1 19941201000000 text/html 154
HTTP/1.0 200 OK
Content-Type: text/html
Location: http://www.example.org/moved/

<p>See <a href="rel/two.html">it</a> http://www.example.org/two/</p>

http://www.example.org/a b 192.0.2.1 19941201000000 text/html 43
<p>See <a href="rel/three.html">it</a></p>

ftp://ftp.example.org/a 192.0.2.1 19941201000000 no-type 200 - - 99 crawl.arc 39
see http://www.example.org/four/ there

dns:www.example.org 192.0.2.1 19941201000000 text/dns 51
19941201000000
www.example.org. 100 IN A 192.0.2.1

http://www.example.org/ 192.0.2.1 19941201000000 text/plain 128
HTTP/1.1 200 OK
Transfer-Encoding: chunked
Content-Type: text/plain

14
see http://www.examp
12
le.org/six/ there

0


http://www.example.org/ 192.0.2.1 19941201000000 text/plain 40
see http://www.example.org/seven/ there
see http://www.example.org/lost/ there

http://www.example.org/ 192.0.2.1 19941201000000 text/plain -1
see http://www.example.org/lost/ there

http://www.example.org/ 192.0.2.1 19941201000000 text/plain 40
see http://www.example.org/eight/ there

http://www.example.org/ 192.0.2.1 19941201000000 text/plain 99
see http://www.example.org/nine/ there

