// MessagePack for the npc-memory wire: null, bool, long, double, string, List<object>, Dictionary<string, object>.
// Encodes canonically (the shortest form of every integer, text and container; floats as 64 bits), so decoding a frame of
// the bridge and encoding it again gives the same bytes. Maps keep the order in which they were filled.
using System;
using System.Collections.Generic;
using System.IO;
using System.Text;

namespace NpcMemory
{
    public static class MsgPack
    {
        /// The wire carries at most so many levels of maps and lists.
        public const int MaxDepth = 16;

        static readonly UTF8Encoding Utf8 = new UTF8Encoding(false, true);

        /// Throws FormatException for what the wire does not carry.
        public static byte[] Encode(object value)
        {
            var stream = new MemoryStream();
            Write(stream, value, 0);
            return stream.ToArray();
        }

        /// Throws FormatException for bytes that are no frame of the wire.
        public static object Decode(byte[] data)
        {
            var reader = new Reader(data);
            object value = reader.Value(0);
            if (!reader.AtEnd) throw new FormatException("bytes behind the value");
            return value;
        }

        static void Write(Stream s, object value, int depth)
        {
            if (value == null) { s.WriteByte(0xc0); return; }
            if (value is bool) { s.WriteByte((bool)value ? (byte)0xc3 : (byte)0xc2); return; }
            if (value is int) { WriteInteger(s, (int)value); return; }
            if (value is long) { WriteInteger(s, (long)value); return; }
            if (value is double)
            {
                Tagged(s, 0xcb, (ulong)BitConverter.DoubleToInt64Bits(Finite((double)value)), 8);
                return;
            }
            if (value is float) { Write(s, (double)(float)value, depth); return; }
            string text = value as string;
            if (text != null) { WriteText(s, text); return; }
            if (depth >= MaxDepth) throw new FormatException("more than 16 levels");
            var map = value as IDictionary<string, object>;
            if (map != null)
            {
                WriteSize(s, map.Count, 0x80, 0xde);
                foreach (KeyValuePair<string, object> pair in map) { WriteText(s, pair.Key); Write(s, pair.Value, depth + 1); }
                return;
            }
            var list = value as System.Collections.IList;
            if (list != null)
            {
                WriteSize(s, list.Count, 0x90, 0xdc);
                foreach (object one in list) Write(s, one, depth + 1);
                return;
            }
            throw new FormatException("the wire does not carry " + value.GetType());
        }

        static void WriteInteger(Stream s, long n)
        {
            if (n >= 0)
            {
                if (n < 0x80) s.WriteByte((byte)n);
                else if (n <= 0xff) Tagged(s, 0xcc, (ulong)n, 1);
                else if (n <= 0xffff) Tagged(s, 0xcd, (ulong)n, 2);
                else if (n <= 0xffffffffL) Tagged(s, 0xce, (ulong)n, 4);
                else Tagged(s, 0xcf, (ulong)n, 8);
            }
            else if (n >= -32) s.WriteByte((byte)(0x100 + n));
            else if (n >= sbyte.MinValue) Tagged(s, 0xd0, (ulong)n, 1);
            else if (n >= short.MinValue) Tagged(s, 0xd1, (ulong)n, 2);
            else if (n >= int.MinValue) Tagged(s, 0xd2, (ulong)n, 4);
            else Tagged(s, 0xd3, (ulong)n, 8);
        }

        static void WriteText(Stream s, string text)
        {
            byte[] bytes;
            try { bytes = Utf8.GetBytes(text); }
            catch (ArgumentException) { throw new FormatException("a lone surrogate in a text: it was cut inside a character"); }
            if (bytes.Length < 32) s.WriteByte((byte)(0xa0 | bytes.Length));
            else if (bytes.Length <= 0xff) Tagged(s, 0xd9, (ulong)bytes.Length, 1);
            else if (bytes.Length <= 0xffff) Tagged(s, 0xda, (ulong)bytes.Length, 2);
            else Tagged(s, 0xdb, (ulong)bytes.Length, 4);
            s.Write(bytes, 0, bytes.Length);
        }

        static double Finite(double n)
        {
            if (double.IsNaN(n) || double.IsInfinity(n)) throw new FormatException(n + " is no finite number");
            return n;
        }

        static void WriteSize(Stream s, int size, int tiny, byte wide)
        {
            if (size < 16) s.WriteByte((byte)(tiny | size));
            else if (size <= 0xffff) Tagged(s, wide, (ulong)size, 2);
            else Tagged(s, (byte)(wide + 1), (ulong)size, 4);
        }

        static void Tagged(Stream s, byte tag, ulong n, int bytes) { s.WriteByte(tag); WriteBig(s, n, bytes); }

        static void WriteBig(Stream s, ulong n, int bytes)
        {
            for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) s.WriteByte((byte)(n >> shift));
        }

        sealed class Reader
        {
            readonly byte[] data;
            int at;

            public Reader(byte[] data) { this.data = data; }

            public bool AtEnd { get { return at == data.Length; } }

            public object Value(int depth)
            {
                byte tag = Byte();
                if (tag < 0x80) return (long)tag;
                if (tag < 0x90) return Map(tag & 0x0f, depth);
                if (tag < 0xa0) return List(tag & 0x0f, depth);
                if (tag < 0xc0) return Text(tag & 0x1f);
                if (tag >= 0xe0) return (long)(sbyte)tag;
                switch (tag)
                {
                    case 0xc0: return null;
                    case 0xc2: return false;
                    case 0xc3: return true;
                    case 0xca: return Finite(BitConverter.ToSingle(BitConverter.GetBytes((uint)Big(4)), 0));
                    case 0xcb: return Finite(BitConverter.Int64BitsToDouble((long)Big(8)));
                    case 0xcc: return (long)Big(1);
                    case 0xcd: return (long)Big(2);
                    case 0xce: return (long)Big(4);
                    case 0xcf: return Unsigned(Big(8));
                    case 0xd0: return (long)(sbyte)Big(1);
                    case 0xd1: return (long)(short)Big(2);
                    case 0xd2: return (long)(int)Big(4);
                    case 0xd3: return (long)Big(8);
                    case 0xd9: return Text((int)Big(1));
                    case 0xda: return Text((int)Big(2));
                    case 0xdb: return Text(Size(Big(4)));
                    case 0xdc: return List((int)Big(2), depth);
                    case 0xdd: return List(Size(Big(4)), depth);
                    case 0xde: return Map((int)Big(2), depth);
                    case 0xdf: return Map(Size(Big(4)), depth);
                }
                throw new FormatException("a tag the wire does not use: 0x" + tag.ToString("x2"));
            }

            Dictionary<string, object> Map(int size, int depth)
            {
                Deeper(depth);
                var map = new Dictionary<string, object>();
                for (int i = 0; i < size; i++)
                {
                    string key = Value(MaxDepth) as string; // a key is no container
                    if (key == null) throw new FormatException("a map key that is no text");
                    if (map.ContainsKey(key)) throw new FormatException("a key stands twice in one map");
                    map.Add(key, Value(depth + 1));
                }
                return map;
            }

            List<object> List(int size, int depth)
            {
                Deeper(depth);
                var list = new List<object>();
                for (int i = 0; i < size; i++) list.Add(Value(depth + 1));
                return list;
            }

            static void Deeper(int depth)
            {
                if (depth >= MaxDepth) throw new FormatException("more than 16 levels");
            }

            string Text(int length)
            {
                Need(length);
                try { return Utf8.GetString(data, at, length); }
                catch (ArgumentException) { throw new FormatException("a text is not UTF-8"); }
                finally { at += length; }
            }

            ulong Big(int bytes)
            {
                Need(bytes);
                ulong n = 0;
                for (int i = 0; i < bytes; i++) n = n << 8 | data[at++];
                return n;
            }

            byte Byte() { Need(1); return data[at++]; }

            void Need(int bytes)
            {
                if (bytes < 0 || bytes > data.Length - at) throw new FormatException("the frame ends too early");
            }

            int Size(ulong n)
            {
                if (n > int.MaxValue) throw new FormatException("a size beyond the frame");
                return (int)n;
            }

            static long Unsigned(ulong n)
            {
                if (n > long.MaxValue) throw new FormatException("an integer beyond 64 bits with sign");
                return (long)n;
            }
        }
    }
}
